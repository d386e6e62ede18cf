# Counts the points of a pottery class: each visit adds points to a member's card.
require 'pstore'

class Cards
  def initialize(file)
    @store = PStore.new(file)
  end

  def enroll(names)
    @store.transaction do
      names.each { |name| @store[name] = { 'points' => 0, 'visits' => [], 'address' => "Lane #{name.hash % 90}", 'pots' => (1..12).to_a } }
    end
  end

  def add(name, points)
    @store.transaction do
      card = @store[name]
      card['points'] += points
      card['visits'] << points
      @store[name] = card
    end
  end

  def best
    @store.transaction(true) { @store.roots.max_by { |name| @store[name]['points'] } }
  end
end

names = (1..4000).map { |n| "member #{n}" }
cards = Cards.new('cards.pstore')
cards.enroll(names)
random = Random.new(1)
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
visits = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 2
  cards.add(names[random.rand(names.size)], random.rand(1..5))
  visits += 1
end
puts "#{visits} visits, best: #{cards.best}"
