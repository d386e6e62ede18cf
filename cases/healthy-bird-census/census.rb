# Adds up which birds have been seen in which region.
class Census
  Bird = Struct.new(:count, :first, :last)

  attr_reader :regions, :sightings

  def initialize
    @regions = Hash.new { |all, region| all[region] = {} }
    @sightings = 0
  end

  def add(line)
    day, region, name, count = line.chomp!.split(';')
    day = day.to_i
    bird = (@regions[region][name] ||= Bird.new(0, day, day))
    bird.count += count.to_i
    bird.first = day if day < bird.first
    bird.last = day if day > bird.last
    @sightings += 1
  end

  def self.table(birds)
    birds.sort_by { |name, bird| [-bird.count, name] }.map do |name, bird|
      format("%-20s %7d  from day %3d to day %3d\n", name, bird.count, bird.first, bird.last)
    end.join
  end
end
