# Which words stand together in old ballads? Counts pairs of neighbouring words, and prints the most frequent.

WORDS = %w[the king sits in dunfermline town drinking blood red wine o where will i get a skeely skipper to sail this
           new ship of mine up spake an eldern knight sat at his right knee sir patrick spens is best sailor that ever
           sailed sea].freeze

def ballad(number)
  chance = number + 1
  Array.new(400) do
    chance = (chance * 48_271) % 2_147_483_647
    WORDS[chance % WORDS.length]
  end
end

def count_pairs(words, pairs)
  before = nil
  words.each do |word|
    pairs[before][word] += 1 if before
    before = word
  end
end

def most_frequent(pairs, count)
  all = pairs.flat_map { |first, seconds| seconds.map { |second, times| ["#{first} #{second}", times] } }
  all.max_by(count) { |pair, times| [times, pair] }
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
pairs = Hash.new { |hash, word| hash[word] = Hash.new(0) }
ballads = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 2.0
  count_pairs(ballad(ballads), pairs)
  ballads += 1
end
most_frequent(pairs, 10).each { |pair, times| puts "#{pair}: #{times}" }
File.write("truth", "ballads #{ballads}\n")
