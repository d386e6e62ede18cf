# Asks the buoys of a bay by radio for their positions; a buoy that says nothing keeps its last one.
require "socket"

$waiting = 0.0

def position_of(radio, buoy)
  radio.write("position of #{buoy}?\n")
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  heard = IO.select([radio], nil, nil, 0.35)
  unless heard
    $waiting += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
    return nil
  end
  radio.gets
end

def drift(buoy)
  (1..60_000).reduce(buoy) { |sum, n| (sum * 31 + n) % 9973 }
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
radio = TCPSocket.new("127.0.0.1", Integer(File.read("port")))
known = (1..7).map { |buoy| position_of(radio, buoy) || drift(buoy) }
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("share %.3f\nsum %d\n", $waiting / wall, known.sum))
