# Asks each wool supplier where its order service is, before the daily order goes out.
require "socket"

SUPPLIERS = {
  "merino" => "orders.merino.example.test",
  "alpaca" => "orders.alpaca.example.test"
}.freeze

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def supplier_address(host)
  Addrinfo.getaddrinfo(host, 8443, nil, :STREAM).first.ip_address
end

def order_lines(wool)
  (1..200).map { |colour| format("%s;colour %03d;%d skeins", wool, colour, (colour * 7) % 12) }
end

start = now
asked = 0.0
ready = 0
SUPPLIERS.each do |wool, host|
  before = now
  begin
    address = supplier_address(host)
  rescue SocketError => e
    warn "#{host}: #{e.message}"
    next
  ensure
    asked += now - before
  end
  File.write("order-#{wool}.csv", ([address] + order_lines(wool)).join("\n"))
  ready += 1
end
File.write("truth", "share_of_main #{(asked / (now - start)).round(3)}\nready #{ready}\nseconds_asking #{asked.round(3)}\n")
