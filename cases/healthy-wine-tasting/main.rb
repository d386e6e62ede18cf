# Evaluates the notes of wine tastings: which words the judges use for which grape, and how their marks differ.
SECONDS = 2.0
GRAPES = %w[riesling pinot merlot syrah gamay].freeze
WORDS = %w[cherry slate smoke pepper honey leather grass plum violet butter].freeze

def tasting(number)
  Array.new(40) do |n|
    seed = number * 7919 + n * 104_729
    { grape: GRAPES[seed % 5], mark: 70 + seed % 29, text: Array.new(8) { |i| WORDS[(seed >> i) % 10] }.join(' ') }
  end
end

def count_words(words, notes)
  notes.each do |note|
    counts = words[note[:grape]]
    note[:text].split.each { |word| counts[word] += 1 }
  end
end

def spread(notes)
  marks = notes.map { |note| note[:mark] }
  mean = marks.sum / marks.size.to_f
  Math.sqrt(marks.sum { |mark| (mark - mean)**2 } / marks.size)
end

limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
words = Hash.new { |all, grape| all[grape] = Hash.new(0) }
tastings = 0
widest = 0.0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < limit
  notes = tasting(tastings)
  count_words(words, notes)
  widest = [widest, spread(notes)].max
  tastings += 1
end
File.write('words.txt', words.map { |grape, counts| "#{grape}: #{counts.max_by(2, &:last).map(&:first).join(', ')}\n" }.join)
puts format('%d tastings, widest spread %.2f', tastings, widest)
