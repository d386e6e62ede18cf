# Adds up the harvest of all fields; what the farmers left empty, or wrote as a word, counts as nothing.

def make_sheet(rows)
  words = ["", "none", "hail", "-", "?"]
  Array.new(rows) { |n| Array.new(8) { |m| (n + m * 3) % 4 == 0 ? (n * 37 + m).to_s : words[(n + m) % 5] } }
end

$rescued = 0

def kilos(cell)
  Integer(cell)
rescue ArgumentError
  $rescued += 1
  0
end

def total(row)
  row.sum { |cell| kilos(cell) }
end

sheet = make_sheet(2000)
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
all = 0
rows = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
  all += total(sheet[rows % 2000])
  rows += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
20_000.times { |n| n.to_s.match?(/\A\d+\z/) ? n : 0 }
test = Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
File.write("truth", format("rescued %d\nrows %d\nkilos %d\nmicroseconds_per_cell %.2f\nby_a_test %.2f\n", $rescued, rows, all, wall * 1e6 / rows / 8, test * 50))
