# Sells teas: asks the store house for each order, and computes the best mixture of what it has.
require "socket"

def mixture(stock)
  best = 0
  stock.each_with_index do |one, n|
    stock.each_with_index { |other, m| best = [best, one * 3 + other * 5 - (n - m).abs].max }
  end
  best
end

store = UNIXSocket.new("store.sock")
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
asking = 0.0
orders = 0
value = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  store.puts("teas of order #{orders}")
  stock = store.gets.split.map(&:to_i)
  asking += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
  value += mixture(stock)
  orders += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("asking %.3f\norders %d\nvalue %d\n", asking / wall, orders, value))
