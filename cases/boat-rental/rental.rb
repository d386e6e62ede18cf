# Asks the harbour for the boats of eight piers at once; a queue lends out the two lines to the harbour.
require "socket"

lines = Queue.new
2.times { lines << UNIXSocket.new("harbour.sock") }
$borrowing = Queue.new

def with_line(lines)
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  line = lines.pop
  $borrowing << Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
  yield line
ensure
  lines << line
end

def boats_at(lines, pier, hour)
  with_line(lines) do |line|
    line.puts("pier #{pier} at #{hour}")
    line.gets.to_i
  end
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
piers = (0...8).map do |pier|
  Thread.new { (8...20).sum { |hour| boats_at(lines, pier, hour) } }
end
boats = piers.sum(&:value)
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
waited = Array.new($borrowing.size) { $borrowing.pop }.sum
File.write("truth", format("waiting_for_a_line %.3f\nboats %d\n", waited / wall / 8, boats))
