# Plays a tune (into a file, as this machine has no loudspeaker).
TUNE = 'C4 C4 G4 G4 A4 A4 G8 F4 F4 E4 E4 D4 D4 C8 G4 G4'.split

def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def seconds(note, beat) = beat * note[1..].to_i / 4

def play(tune, beat, out)
  due = clock
  late = 0.0
  tune.each do |note|
    out.write("#{note[0]} ")
    late += clock - due
    due += seconds(note, beat)
    sleep([due - clock, 0].max)
  end
  late
end

beat = 60.0 / ARGV.fetch(1, '120').to_i
File.open('tune.txt', 'w') do |out|
  late = play(TUNE, beat, out)
  File.write('truth', format("late_ms %.1f\n", late * 1000))
end
