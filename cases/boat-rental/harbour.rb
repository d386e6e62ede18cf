# The harbour's office: looks at its pier for 40 ms before it answers, on any number of lines at once.
require "socket"

server = UNIXServer.new("harbour.sock")
File.write("ready", "")
loop do
  Thread.new(server.accept) do |line|
    while (question = line.gets)
      sleep 0.04
      line.puts(question.sum % 9)
    end
  end
end
