# Says which of the sheets that an orchestra wants are in its library.

$looking = 0.0

def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def have?(opus)
  before = clock
  found = Dir.children('scores').include?("opus-#{opus}.pdf")
  $looking += clock - before
  found
end

start = clock
wanted = there = 0
while clock - start < 2
  there += 1 if have?(wanted * 7919 % 9000)
  wanted += 1
end
File.write('truth', format("looking %.3f\nwanted %d\nthere %d\n", $looking / (clock - start), wanted, there))
