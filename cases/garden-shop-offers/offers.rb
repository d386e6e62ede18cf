# Makes the offers of a garden shop for its members: each kind of member may have a rule of its own.
require 'json'

class Plant
  attr_reader :name, :price, :tags

  def initialize(number)
    @name = "plant #{number}"
    @price = 250 + number * 17 % 4000
    @tags = %w[sun shade tub hedge].rotate(number).first(2)
  end
end

class Shop
  def initialize(count)
    @plants = Array.new(count) { |n| Plant.new(n) }
    @by_tag = Hash.new { |h, k| h[k] = [] }
    @plants.each { |p| p.tags.each { |t| @by_tag[t] << p } }
  end

  def plants_for(member)
    @by_tag[member[:likes]].values_at(*(0..5).map { |i| (member[:number] * 31 + i * 7) % 200 }).compact
  end

  def rule_for_gold(price)
    price * 85 / 100
  end

  def rule_for_silver(price)
    price * 92 / 100
  end

  def rule_for_school(price)
    [price - 100, 0].max
  end
end

class Offers
  attr_reader :made, :without_rule

  def initialize(shop)
    @shop = shop
    @made = 0
    @without_rule = Hash.new(0)
  end

  def price(member, plant)
    @shop.public_send("rule_for_#{member[:kind]}", plant.price)
  rescue NoMethodError => e
    note(member, e)
    plant.price
  end

  def note(member, error)
    @without_rule[[member[:kind], error.message[0, 40]]] += 1
  end

  def offer(member)
    lines = @shop.plants_for(member).map { |p| { plant: p.name, cents: price(member, p) } }
    @made += 1
    JSON.generate(member: member[:number], lines: lines, total: lines.sum { |l| l[:cents] })
  end
end

KINDS = %w[gold silver school staff].freeze
LIKES = %w[sun shade tub hedge].freeze

def clock
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

offers = Offers.new(Shop.new(600))
start = clock
bytes = 0
while clock - start < 2
  40.times do
    n = offers.made
    bytes += offers.offer({ number: n, kind: n % 10 == 9 ? 'staff' : KINDS[n % 3], likes: LIKES[n % 4] }).size
  end
end
puts "#{offers.made} offers, #{bytes} bytes, without a rule: #{offers.without_rule}"
