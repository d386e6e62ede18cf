# Finds places for the guests of a wedding, so that neighbours like each other.

$copying = 0.0

def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def make_plan
  Array.new(20) do |table|
    { name: "table #{table}", guests: Array.new(10) { |seat| { name: "guest #{table * 10 + seat}", likes: [seat * 7 % 10, table * 3 % 20] } } }
  end
end

def copy_plan(plan)
  before = clock
  copy = Marshal.load(Marshal.dump(plan))
  $copying += clock - before
  copy
end

def happiness(plan, table)
  plan[table][:guests].each_cons(2).count { |left, right| left[:likes][0] + right[:likes][1] == table }
end

def exchange(plan, one, other, seat)
  tried = copy_plan(plan)
  tried[one][:guests][seat], tried[other][:guests][seat] = tried[other][:guests][seat], tried[one][:guests][seat]
  before = happiness(plan, one) + happiness(plan, other)
  happiness(tried, one) + happiness(tried, other) >= before ? tried : plan
end

start = clock
plan = make_plan
rounds = 0
while clock - start < 2
  plan = exchange(plan, rounds % 20, rounds * 7 % 20, rounds % 10)
  rounds += 1
end
File.write('truth', format("copying %.3f\nexchanges %d\n", $copying / (clock - start), rounds))
