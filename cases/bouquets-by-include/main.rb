# Goes through the notes of a florist's driver, who notes some bouquets twice.
class Deliveries
  attr_reader :looked

  def initialize
    @numbers = []
    @looked = 0.0
  end

  def note(number)
    @numbers << number unless delivered?(number)
  end

  def delivered?(number)
    before = now
    found = @numbers.include?(number)
    @looked += now - before
    found
  end

  def count = @numbers.size

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

deliveries = Deliveries.new
start = deliveries.now
line = 0
while deliveries.now - start < 2
  deliveries.note("bouquet #{line * 7919 % 90_000}")
  line += 1
end
wall = deliveries.now - start
File.write('truth', format("share %.3f\nlines %d\nbouquets %d\n", deliveries.looked / wall, line, deliveries.count))
