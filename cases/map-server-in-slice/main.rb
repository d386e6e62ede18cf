# Puts a hiking map together from the tiles of a server on this machine.
require "socket"

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class TileServer
  attr_reader :waited

  def initialize(port)
    @socket = TCPSocket.new("127.0.0.1", port)
    @socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    @waited = 0.0
  end

  def fetch_tile(column, row)
    before = now
    @socket.write("#{column} #{row}\n")
    tile = @socket.gets
    @waited += now - before
    tile.to_i(16)
  end
end

class HikingMap
  def initialize(server)
    @server = server
    @sheets = []
  end

  def add_sheet(number)
    @sheets << 6.times.map { |n| @server.fetch_tile(number * 3 + n % 3, n / 3) }
  end

  def colours
    @sheets.flatten.map { |tile| tile & 0xff }.tally.size
  end
end

start = now
server = TileServer.new(File.read("port").to_i)
map = HikingMap.new(server)
sheets = 0
map.add_sheet(sheets += 1) while now - start < 2
wall = now - start
puts "#{sheets} sheets, #{map.colours} colours"
File.write("truth", "share #{(server.waited / wall).round(3)}\nsheets #{sheets}\n")
