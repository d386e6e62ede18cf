# Sorts parcels as they come from a conveyor belt, until the shift ends.
require "socket"

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class Sorter
  attr_reader :bins, :busy

  def initialize
    @bins = Hash.new { |bins, region| bins[region] = [] }
    @busy = 0.0
  end

  def next_parcel(belt)
    belt.gets
  end

  def sort_parcel(line)
    before = now
    _, number, postcode = line.split
    @bins[postcode[0]] << Integer(number)
    @busy += now - before
  end

  def work(belt, shift_end)
    while now < shift_end
      line = next_parcel(belt) or break
      sort_parcel(line)
    end
  end
end

start = now
sorter = Sorter.new
UNIXSocket.open("belt.sock") { |belt| sorter.work(belt, start + 2) }
wall = now - start
File.write("truth", "busy #{(sorter.busy / wall).round(5)}\nparcels #{sorter.bins.values.sum(&:size)}\nbins #{sorter.bins.size}\n")
