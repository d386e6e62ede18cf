# Keeps who rents which plot of a garden colony, and adds up what they pay.

class Plot
  attr_reader :path, :number

  def initialize(path, number)
    @path = path
    @number = number
  end

  def hash
    @path
  end

  def eql?(other)
    @path == other.path && @number == other.number
  end
end

$looking = 0.0

def rent_of(rents, path, number)
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  rent = rents[Plot.new(path, number)]
  $looking += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
  rent
end

rents = {}
2400.times { |n| rents[Plot.new(n % 8, n / 8)] = 90 + n % 31 }
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sum = 0
asked = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 1.8
  sum += rent_of(rents, asked % 8, asked * 7 % 300)
  asked += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("looking %.3f\nasked %d\nsum %d\n", $looking / wall, asked, sum))
