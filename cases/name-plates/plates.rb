# Prints the letters of name plates for an engraver's machine, which reads a file of strokes.

STROKES = Hash.new { |known, letter| known[letter] = Array.new(3) { |n| "#{(letter.ord * 7 + n * 13) % 90 + 10} " } }

def engrave(out, name)
  name.each_char do |letter|
    STROKES[letter].each { |stroke| out.write(stroke) }
  end
  out.write("\n")
end

$engraving = 0.0
out = File.open("strokes.txt", "w")
out.sync = true
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
plates = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
  engrave(out, "Dr. Ada Lindqvist, room #{plates % 400}")
  plates += 1
end
out.close
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("plates %d\nbytes %d\nwall %.2f\nsystem %.3f\n", plates, File.size("strokes.txt"), wall, Process.times.stime / wall))
