# Collects the names of all singers of a region from the lists of its choirs.

FIRST = %w[Ada Bela Cleo Dana Egon Fritz Gesa Hugo Ines Jan].freeze

class Register
  attr_reader :singers, :choirs

  def initialize
    @singers = []
    @choirs = 0
  end

  def enter(choir_list)
    @singers |= choir_list
    @choirs += 1
  end
end

def choir_list(number)
  Array.new(12) { |i| "#{FIRST[(number + i) % 10]} #{(number * 7919 + i * 104_729) % 60_000}" }
end

register = Register.new
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2.0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
  register.enter(choir_list(register.choirs))
end
puts "#{register.choirs} choirs, #{register.singers.size} singers"
