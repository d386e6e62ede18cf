# Reads the stock of a quilt shop into memory, patch by patch, and prints what there is of each colour.
Patch = Struct.new(:number, :cloth, :colour, :size, :tags)

class Stock
  attr_reader :patches

  def initialize
    @patches = []
    @by_colour = Hash.new { |hash, colour| hash[colour] = [] }
  end

  def add(line)
    number, cloth, colour, size, *tags = line.split(';')
    patch = Patch.new(number.to_i, cloth, colour, size.to_i, tags)
    @patches << patch
    @by_colour[colour] << patch
  end

  def report
    @by_colour.sort.map { |colour, list| "#{colour}: #{list.size} patches, #{list.sum(&:size)} cm" }
  end
end

def delivery(random, number)
  "#{number};cloth #{random.rand(90)};colour #{random.rand(12)};#{random.rand(5..30)};tag #{number % 7};tag #{number % 11}"
end

deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
stock = Stock.new
random = Random.new(3)
number = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  50.times { stock.add(delivery(random, number += 1)) }
end
puts stock.report
puts "#{stock.patches.size} patches, #{GC.count} collections, #{GC.stat(:time)} ms"
