# Counts the lorries and tons that pass the harbour's gate, as the gate tells them.
require "socket"

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class Count
  attr_reader :lorries, :tons, :heavy

  def initialize
    @lorries = @tons = 0
    @heavy = Hash.new(0)
  end

  def enter(line)
    _, number, weight = line.split
    @lorries += 1
    @tons += weight.to_i
    @heavy[number.to_i % 100] += 1 if weight.to_i > 30
  end
end

# The gate starts at the same time as we do: a few tries are normal.
def reach_gate(path, tries: 20)
  attempt = 0
  begin
    attempt += 1
    return UNIXSocket.new(path), attempt
  rescue Errno::ENOENT, Errno::ECONNREFUSED
    raise if attempt >= tries

    sleep 0.1
    retry
  end
end

File.write("gate.wanted", "")
start = now
gate, attempts = reach_gate("gate.sock")
reached = now
count = Count.new
gate.each_line { |line| count.enter(line) }
gate.close
cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
puts "#{count.lorries} lorries, #{count.tons} t, #{count.heavy.values.sum} heavy ones"
File.write("truth", "attempts #{attempts}\nseconds_until_reached #{(reached - start).round(3)}\n" \
                    "seconds_counting #{(now - reached).round(3)}\ncpu_seconds #{cpu.round(2)}\n")
