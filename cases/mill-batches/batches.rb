# Plans the batches of a flour mill: which sacks go together, so that the quality of the mix is as wished.
require 'logger'

Sack = Struct.new(:number, :weight, :protein, :ash)

class Mill
  attr_reader :batches

  def initialize(logger)
    @logger = logger
    @batches = 0
  end

  def plan(sacks, wished)
    left = sacks.sort_by { |sack| -sack.protein }
    batch = []
    until left.empty? || batch.sum(&:weight) > 900
      mean = batch.empty? ? 0 : batch.sum { |s| s.protein * s.weight } / batch.sum(&:weight)
      sack = mean > wished ? left.pop : left.shift
      batch << sack
      @logger.debug { "batch #{@batches}: sack #{sack.number} (#{sack.weight} kg, #{sack.protein} %), mean #{mean.round(3)}" }
    end
    @batches += 1
    batch
  end
end

def sacks(random, count)
  Array.new(count) { |n| Sack.new(n, random.rand(40..60), random.rand(90..150) / 10.0, random.rand(40..60) / 100.0) }
end

logger = Logger.new('mill.log', level: Logger::DEBUG)
mill = Mill.new(logger)
random = Random.new(9)
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
weight = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
  weight += mill.plan(sacks(random, 60), 12.0).sum(&:weight)
end
puts "#{mill.batches} batches, #{weight} kg"
