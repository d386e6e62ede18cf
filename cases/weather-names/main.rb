# Looks up the addresses of the weather stations, the new kind first.
require "resolv"

AAAA = Resolv::DNS::Resource::IN::AAAA
A = Resolv::DNS::Resource::IN::A
$waited = 0.0

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def addresses_of(resolver, station)
  before = now
  found = resolver.getresources(station, AAAA) + resolver.getresources(station, A)
  $waited += now - before
  found.map { |resource| resource.address.to_s }
end

def station_names(number)
  "station-#{number}.weather.example."
end

start = now
resolver = Resolv::DNS.new(nameserver_port: [["127.0.0.1", Integer(File.read("port"))]])
resolver.timeouts = 0.25
list = {}
list[station_names(list.size)] = addresses_of(resolver, station_names(list.size)) while now - start < 2
wall = now - start
File.write("truth", "share #{($waited / wall).round(3)}\nstations #{list.size}\nwithout #{list.values.count(&:empty?)}\n")
