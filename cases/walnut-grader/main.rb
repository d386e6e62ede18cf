# Reads the weights of a walnut harvest and hands every nut to the grader, which sorts them into its boxes.
grader = File.join(ENV.fetch('CASE'), 'grader.py')
$waited = 0.0

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def weigh(number)
  8000 + number * 37 % 6000
end

def describe(number)
  form("walnut #{number}", weigh(number), %w[north south valley][number % 3])
end

def form(name, milligrams, orchard)
  format("%-18s %6d mg from the %-8s orchard, %s\n", name, milligrams, orchard, 'dried ' * 160)
end

def hand_over(belt, text)
  before = now
  belt.write(text)
  belt.flush
  $waited += now - before
end

start = now
nuts = 0
IO.popen([ARGV[0], grader], 'w') do |belt|
  while now - start < 1.9
    hand_over(belt, describe(nuts))
    nuts += 1
  end
end
File.write('truth', "waited #{($waited / (now - start)).round(3)}\nnuts #{nuts}\n")
