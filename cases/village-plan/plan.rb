# Tries changes to the plan of a model village; each try works on a copy of the plan.
require "json"

def make_plan
  { "streets" => (1..60).map { |n| { "name" => "street #{n}", "houses" => (1..12).map { |h| { "number" => h, "roof" => %w[red grey][h % 2], "cost" => n * h } } } } }
end

$copying = 0.0

def copy_of(plan)
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  copy = JSON.parse(JSON.generate(plan))
  $copying += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
  copy
end

def cost(plan, street)
  plan["streets"][street]["houses"].sum { |house| house["cost"] }
end

plan = make_plan
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
tries = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
  try = copy_of(plan)
  street = tries % 60
  try["streets"][street]["houses"][tries % 12]["cost"] += tries % 5 - 2
  plan = try if cost(try, street) < cost(plan, street)
  tries += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("copying %.3f\ntries %d\n", $copying / wall, tries))
