#!/usr/bin/env ruby
# Prints the readings of all stations as rows for the database.

STATIONS = %w[Summit Harbour Valley Airport Forest].freeze
PAUSE = 0.02 # the old service allowed 50 questions per second

def reading(station, hour)
  { station: station, hour: hour, temperature: (station.sum * hour) % 31 - 4 }
end

def each_reading(limit)
  hour = 0
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < limit
    STATIONS.each do |station|
      yield reading(station, hour)
      sleep PAUSE
    end
    hour += 1
  end
end

$stdout.sync = true
limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 1.8
each_reading(limit) do |r|
  puts [r[:station], r[:hour], r[:temperature]].join(',')
end
