# Sends the cards of a gate to its terminal: the length of the text, and the text; the terminal says ok to each.
require 'socket'

class Terminal
  attr_reader :waited

  def initialize(host, port)
    @socket = TCPSocket.new(host, port)
    @socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    @waited = 0.0
  end

  def show(text)
    @socket.write("#{text.length}\n#{text}")
    confirm
  end

  private

  def confirm
    t = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    @socket.gets&.start_with?('ok') or raise 'the terminal is confused'
  ensure
    @waited += Process.clock_gettime(Process::CLOCK_MONOTONIC) - t
  end
end

NAMES = ['Frau Müller', 'Herr Weiß', 'Zoë Blåbær', 'John Smith', 'Škoda s.r.o.', 'Åse Ødegård'].freeze
begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
terminal = Terminal.new('127.0.0.1', 12_593)
cards = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < begun + 2
  terminal.show("Gate #{cards % 4 + 1}: #{NAMES[cards % NAMES.size]}, until 18 o’clock")
  cards += 1
end
puts "#{cards} cards, #{terminal.waited.round(2)} s of waiting"
