# Writes the signs of a museum in three languages.
require 'yaml'

$loading = 0.0

def clock = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def phrases
  before = clock
  book = YAML.load_file('phrases.yml')
  $loading += clock - before
  book
end

def sign(number, language)
  phrases["phrase_#{number % 400 + 1}"][language]
end

start = clock
signs = 0
File.open('signs.txt', 'w') do |file|
  while clock - start < 2
    file.puts sign(signs, signs.even? ? 'de' : 'fr')
    signs += 1
  end
end
File.write('truth', format("loading %.3f\nsigns %d\n", $loading / (clock - start), signs))
