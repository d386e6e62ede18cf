# The store house of a tea shop: answers each question at once, from memory.
require "socket"

server = UNIXServer.new("store.sock")
File.write("ready", "")
loop do
  Thread.new(server.accept) do |shop|
    while (question = shop.gets)
      shop.puts(Array.new(260) { |n| (question.sum + n * 7) % 50 }.join(" "))
    end
  end
end
