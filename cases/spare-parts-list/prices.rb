# Fills the order forms of workshops with prices from the manufacturer's list (XML).
require 'rexml/document'

class PartList
  attr_reader :seconds

  def initialize(file)
    @doc = REXML::Document.new(File.read(file))
    @seconds = 0.0
  end

  def find(number)
    t = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    REXML::XPath.first(@doc, "/parts/part[@number='#{number}']")
  ensure
    @seconds += Process.clock_gettime(Process::CLOCK_MONOTONIC) - t
  end

  def price(number)
    part = find(number) or return 0
    part.elements['price'].text.to_f * (1 - part.attributes['rebate'].to_f / 100)
  end
end

def order_lines
  n = 0
  loop { yield "P#{(n * 37) % 1100}", n % 5 + 1; n += 1 }
end

begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
list = PartList.new('parts.xml')
total = 0
lines = 0
order_lines do |number, count|
  break if Process.clock_gettime(Process::CLOCK_MONOTONIC) > begun + 2.1

  total += list.price(number) * count
  lines += 1
end
puts "#{lines} lines, #{total.round(2)}"
File.write('truth', format("share %.3f\n", list.seconds / (Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun + 0.06)))
