# Reads the marks of a tidal buoy. The driver may hang, so each reading has a limit of time.
require "timeout"

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class Gauge
  attr_reader :readings

  def initialize(marks)
    @marks = marks
    @readings = 0
  end

  def read_mark
    Timeout.timeout(5) do
      @readings += 1
      @marks[@readings % @marks.size]
    end
  end
end

def highest_of(gauge, count)
  (1..count).map { gauge.read_mark }.max
end

start = now
gauge = Gauge.new((0...360).map { |minute| (Math.sin(minute / 57.3) * 210).round + 300 })
highest = 0
highest = [highest, highest_of(gauge, 100)].max while now - start < 2
File.write("truth", "readings #{gauge.readings}\nhighest #{highest}\n")
