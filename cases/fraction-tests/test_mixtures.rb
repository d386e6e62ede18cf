# Tests of a dye works' mixtures: each recipe must be mixed from the tanks exactly, in whole cans.
require 'minitest'

class Mixer
  def initialize(tanks)
    @tanks = tanks
  end

  # the fewest cans whose sum is the wanted amount (nil if there are none)
  def cans(amount)
    best = Array.new(amount + 1)
    best[0] = 0
    1.upto(amount) do |a|
      @tanks.each do |t|
        next if t > a

        b = best[a - t]
        best[a] = b + 1 if b && (best[a].nil? || b + 1 < best[a])
      end
    end
    best[amount]
  end

  def greedy(amount)
    n = 0
    @tanks.sort.reverse_each do |t|
      n += amount / t
      amount %= t
    end
    amount.zero? ? n : nil
  end
end

class MixturesTest < Minitest::Test
  TANKS = [[1, 5, 12, 25], [1, 7, 10, 40], [3, 5, 11], [2, 9, 21, 50], [1, 6, 14, 33]].freeze

  TANKS.each_with_index do |tanks, i|
    8.times do |k|
      define_method("test_tanks_#{i}_amount_#{k}") do
        amount = 52_000 + 4_370 * k + i
        best = Mixer.new(tanks).cans(amount)
        simple = Mixer.new(tanks).greedy(amount)
        refute_nil best
        assert_operator best, :<=, simple if simple
        assert_operator best * tanks.max, :>=, amount
      end
    end
  end
end

exit Minitest.run(ARGV)
