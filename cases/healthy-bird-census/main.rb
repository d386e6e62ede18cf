# The census of birds: reads what has been seen, and writes a table per region and an overview.
require_relative 'census'

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

start = now
census = Census.new
File.foreach('sightings.csv') do |line|
  census.add(line)
  break if census.sightings % 4096 == 0 && now > start + 1.8
end
reading = now - start
census.regions.sort.each do |region, birds|
  File.write("#{region}.txt", Census.table(birds))
end
File.write('truth', format("reading %.3f\nsightings %d\n", reading / (now - start), census.sightings))
