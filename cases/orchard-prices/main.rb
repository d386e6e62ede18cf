# Adds up what an orchard has sold, from the lines of its scales.
require 'ostruct'

KINDS = %w[apple pear plum quince cherry].freeze

def sale(i)
  { kind: KINDS[i % 5], grams: 400 + i * 37 % 2100, cents: 180 + i % 7 * 20, day: i % 31 }
end

def to_record(fields)
  OpenStruct.new(fields)
end

def add(totals, record)
  price = record.grams * record.cents / 1000
  totals[record.kind] += record.day == 30 ? price / 2 : price
end

totals = Hash.new(0)
count = 0
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2.0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
  add(totals, to_record(sale(count)))
  count += 1
end
puts "#{count} sales"
totals.each { |kind, cents| puts format('%-8s %10.2f', kind, cents / 100.0) }
