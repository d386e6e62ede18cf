# Writes the cards of a ship's passengers to the card printer, a program that takes them one after the other.
$handing = 0.0

def card(number)
  "cabin #{number}\n" + "Welcome on board! Breakfast is from seven to ten on the sun deck. " * 120 + "\n\n"
end

def hand_over(printer, text)
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  printer.write(text)
  printer.flush
  $handing += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
cards = 0
IO.popen(["perl", File.join(__dir__, "printer.pl")], "w") do |printer|
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
    hand_over(printer, card(cards))
    cards += 1
  end
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("handing %.3f\ncards %d\n", $handing / wall, cards))
