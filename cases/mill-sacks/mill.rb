# A mill: one thread weighs the sacks, the other grinds and labels them.
class Sack
  attr_reader :number, :grain, :kilos

  def initialize(number)
    @number = number
    @grain = %i[wheat rye spelt][number % 3]
    @kilos = 40 + number * 7 % 25
  end
end

class Mill
  def initialize(seconds)
    @belt = SizedQueue.new(1)
    @deadline = clock + seconds
    @flour = Hash.new(0)
    @labels = 0
  end

  def clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def weigh
    number = 0
    while clock < @deadline
      @belt << Sack.new(number)
      number += 1
    end
    @belt << nil
  end

  def grind
    while (sack = @belt.pop)
      @flour[sack.grain] += sack.kilos * 78 / 100
      @labels += 1 if sack.kilos > 50
    end
  end

  def run
    scale = Thread.new { weigh }
    stones = Thread.new { grind }
    [scale, stones].each(&:join)
    puts "#{@labels} labels, #{@flour}"
  end
end

Mill.new(2).run
