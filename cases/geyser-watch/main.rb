# Reads the water level of the geysers in a park from their probes and warns before an eruption.
require 'timeout'

# A probe at the geyser. Its library may hang, so that each call gets a time limit.
class Probe
  def initialize(number)
    @number = number
    @tick = 0
  end

  def level
    @tick += 1
    400 + (@number * 53 + @tick * 17) % 300
  end
end

class Watch
  attr_reader :warnings

  def initialize(probes)
    @probes = probes
    @last = Array.new(probes.size, 0)
    @warnings = 0
  end

  def read_level(probe)
    Timeout.timeout(0.5) { probe.level }
  end

  def round
    @probes.each_with_index do |probe, index|
      level = read_level(probe)
      @warnings += 1 if level - @last[index] > 200
      @last[index] = level
    end
  end
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

watch = Watch.new(Array.new(16) { |n| Probe.new(n) })
start = now
rounds = 0
while now - start < 1.9
  watch.round
  rounds += 1
end
File.write('truth', "rounds #{rounds}\nwarnings #{watch.warnings}\nper_call #{((now - start) / rounds / 16 * 1e6).round(1)}\n")
