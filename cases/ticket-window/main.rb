# The ticket window of a museum: a clerk thread serves the requests that arrive on a socket, in the order in which they came.
require "socket"

Request = Struct.new(:visitor, :count, :client)

class Window
  attr_reader :served, :income

  def initialize
    @queue = Thread::Queue.new
    @served = 0
    @income = 0
    @clerk = Thread.new { serve while @served >= 0 && !@queue.closed? || !@queue.empty? }
  end

  def take(request)
    @queue << request
  end

  def close
    @queue.close
    @clerk.join
  end

  private

  def serve
    request = @queue.pop or return
    price = request.count * 7 - (request.count >= 4 ? 4 : 0)
    @income += price
    @served += 1
    request.client.puts "#{request.visitor} pays #{price}"
  end
end

window = Window.new
server = UNIXServer.new("window.sock")
client = server.accept
while (line = client.gets)
  visitor, count = line.split
  window.take(Request.new(visitor, count.to_i, client))
end
window.close
File.write("truth", "served #{window.served}\nincome #{window.income}\n")
