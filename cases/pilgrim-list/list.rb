# Checks the lines of a hostel's list of pilgrims: "Name Of Pilgrim, number of nights".

LINE = /\A(?:[A-Z]?[a-z]+[ '-]?)+, \d+\z/

NAMES = ["Anselm van den Heuvel", "Beatrix of Middlesbrough", "Casimir", "Dorothea Lindgren", "Egbert Maximilian",
         "Florentine"].freeze

def line(number)
  name = NAMES[number % NAMES.length]
  number % 8 == 5 ? "#{name[0, 20]}, many" : "#{name}, #{number % 9 + 1}"
end

def valid?(line)
  LINE.match?(line)
end

def check(number, report)
  text = line(number)
  report << "line #{number}: #{text}" unless valid?(text)
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
report = []
lines = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 2.0
  check(lines, report)
  lines += 1
end
File.write("truth", "lines #{lines}\nwrong #{report.length}\n")
