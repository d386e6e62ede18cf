# Smooths the weights of a bee yard's hives, in the small share of a CPU that the host gives to its guests.

def smooth(weights)
  weights.each_cons(5).map { |window| window.sum / 5.0 }
end

def hive(number)
  smooth(smooth(Array.new(4000) { |n| 30 + (n * 7919 + number * 31) % 97 / 10.0 })).max
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
highest = 0
hives = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.2
  highest = [highest, hive(hives)].max
  hives += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
File.write("truth", format("share %.3f\nhives %d\nhighest %.2f\n", 1 - cpu / wall, hives, highest))
