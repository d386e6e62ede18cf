# Goes through the notes of a florist's driver, who notes some bouquets twice.
require 'set'

class Deliveries
  def initialize
    @numbers = Set.new
  end

  def note(number)
    @numbers.add(number)
  end

  def count = @numbers.size

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

deliveries = Deliveries.new
start = deliveries.now
line = 0
while deliveries.now - start < 2
  1000.times do
    deliveries.note("bouquet #{line * 7919 % 90_000}")
    line += 1
  end
end
File.write('truth', format("lines %d\nbouquets %d\n", line, deliveries.count))
