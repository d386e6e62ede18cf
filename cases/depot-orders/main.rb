# Prices the orders of a shop with the articles of a depot, and packs each order into as few boxes as it can.
require 'socket'

class DepotClient
  attr_reader :ping_time

  def initialize(port)
    @socket = TCPSocket.new('127.0.0.1', port)
    @socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    @ping_time = 0.0
  end

  # Makes sure that the connection from the pool is still alive.
  def check_alive
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    @socket.write("PING\n")
    raise 'depot is gone' unless @socket.gets == "PONG\n"

    @ping_time += Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end

  def article(number)
    check_alive
    @socket.write("GET #{number}\n")
    _, name, cents = @socket.gets.split
    [name, cents.to_i]
  end
end

def boxes_for(sizes)
  best = sizes.size
  15_000.times do |round|
    free = []
    sizes.rotate(round % sizes.size).each do |size|
      at = free.index { |left| left >= size }
      at ? free[at] -= size : free << 1000 - size
    end
    best = [best, free.size].min
  end
  best
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
depot = DepotClient.new(File.read('port').to_i)
orders = cents = boxes = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 2.0
  articles = Array.new(1 + orders % 3) { |i| depot.article(orders * 13 + i) }
  cents += articles.sum { |_, price| price }
  boxes += boxes_for(articles.map { |_, price| price } * 3)
  orders += 1
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start + 0.06
puts "#{orders} orders, #{cents} cents, #{boxes} boxes"
File.write('truth', "share #{(depot.ping_time / wall).round(2)}\n")
