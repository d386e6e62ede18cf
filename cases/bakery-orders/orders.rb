# Takes the orders of a bakery, with the customers of twenty years in memory.

def load_customers
  Array.new(300_000) { |n| { name: "customer #{n}", bread: [n % 7, n % 11], street: "street #{n % 900}" } }
end

$collecting = 0.0

def tidy_up
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  GC.start
  $collecting += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
end

def take_order(customers, number)
  customer = customers[number * 7919 % customers.size]
  lines = customer[:bread].map { |bread| "bread #{bread} for #{customer[:name]}" }
  tidy_up
  lines.join("\n").size
end

customers = load_customers
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
orders = 0
size = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
  size += take_order(customers, orders)
  orders += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("collecting %.3f\norders %d\nsize %d\n", $collecting / wall, orders, size))
