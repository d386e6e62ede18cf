# Prints the stock list of a garden shop. The nursery knows how many of each plant it has.
require 'socket'

PLANTS = %w[aster begonia clematis dahlia echinacea foxglove].freeze

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def ask_nursery(nursery, plant)
  nursery.puts(plant)
  nursery.gets.to_i
end

def stock_list(nursery)
  PLANTS.map { |plant| "#{plant}: #{ask_nursery(nursery, plant)}" }.join("\n")
end

nursery = TCPSocket.new('127.0.0.1', File.read('ready').to_i)
nursery.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
start = now
lists = 0
waited = 0.0
while now - start < 2
  before = now
  stock_list(nursery)
  waited += now - before
  lists += 1
end
File.write('truth', format("waited %.3f\nlists %d\n", waited / (now - start), lists))
