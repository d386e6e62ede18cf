# A greenhouse: the watering of each bed waits for the sensor's word, which a thread brings.
class Bed
  attr_reader :number

  def initialize(number)
    @number = number
    @moisture = nil
  end

  def report(value)
    @moisture = value
  end

  def moisture
    sleep 0.07 while @moisture.nil?
    @moisture
  end
end

def sense(bed)
  Thread.new do
    sleep 0.004
    bed.report(20 + bed.number * 7 % 50)
  end
end

def water(bed)
  sensor = sense(bed)
  litres = [60 - bed.moisture, 0].max / 10.0
  sensor.join
  litres
end

beds = Array.new(28) { |number| Bed.new(number) }
litres = beds.sum { |bed| water(bed) }
puts format('%d beds, %.1f litres', beds.size, litres)
