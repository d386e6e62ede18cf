# The diary of a zoo: what the keepers note goes to the animals that they mean.
SECONDS = 2.0

class Animal
  attr_reader :tag, :kind, :notes

  def initialize(tag, kind)
    @tag = tag
    @kind = kind
    @notes = 0
  end

  def note
    @notes += 1
  end

  def self.find(tag)
    ObjectSpace.each_object(Animal).find { |animal| animal.tag == tag }
  end
end

class Zoo
  def initialize
    kinds = %w[otter heron lynx bison ibex]
    @animals = Array.new(900) { |n| Animal.new("Z#{n}", kinds[n % kinds.size]) }
    @leaflets = Array.new(220_000) { |n| "leaflet #{n}" }
  end

  def diary(line)
    tag, text = line.split(' ', 2)
    animal = Animal.find(tag)
    animal.note
    "#{animal.kind} #{tag}: #{text}"
  end
end

zoo = Zoo.new
limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
lines = 0
letters = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < limit
  letters += zoo.diary("Z#{lines * 37 % 900} has eaten #{lines % 7} fish").size
  lines += 1
end
puts "#{lines} lines, #{letters} letters"
