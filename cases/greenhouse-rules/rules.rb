# Applies the rules of a greenhouse to its measurements. The gardeners write the rules, as they know Ruby.
Measurement = Struct.new(:bed, :temperature, :humidity, :light)

class Rule
  attr_reader :name, :hits

  def initialize(name, condition)
    @name = name
    @condition = condition
    @hits = 0
  end

  def matches?(m)
    temperature, humidity, light = m.temperature, m.humidity, m.light
    result = eval(@condition)
    @hits += 1 if result
    result
  end
end

RULES = [
  Rule.new('air', 'temperature > 28 && humidity > 60'),
  Rule.new('heat', 'temperature < 8 || (temperature < 11 && light < 200)'),
  Rule.new('shade', 'light > 900 && temperature > 24'),
  Rule.new('water', 'humidity < 35 && light > 100'),
  Rule.new('frost', 'temperature.between?(-5, 1) && humidity > 80')
].freeze

def measurements
  random = Random.new(6)
  Enumerator.new do |out|
    loop { out << Measurement.new(random.rand(40), random.rand(-5..40), random.rand(20..95), random.rand(1000)) }
  end
end

def main
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
  orders = Hash.new(0)
  count = 0
  measurements.each do |m|
    RULES.each { |rule| orders[[m.bed, rule.name]] += 1 if rule.matches?(m) }
    count += 1
    break if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
  end
  puts "#{count} measurements, orders for #{orders.size} beds and rules"
  RULES.each { |rule| puts "#{rule.name}: #{rule.hits}" }
end

main
