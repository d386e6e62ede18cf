# Prints the tickets of a ferry: the fare of each passage comes from the line's gateway.
require 'net/http'

HARBOURS = %w[Husum Amrum Sylt].freeze
ISLES = %w[Hallig Pellworm].freeze

def fare(line, from, to)
  line.get("/#{from}-#{to}").body.to_f
end

def ticket(line, number)
  from = HARBOURS[number % 3]
  to = ISLES[number % 2]
  format('%03d %-8s %-8s %6.2f', number, from, to, fare(line, from, to))
end

Net::HTTP.start('127.0.0.1', 18742) do |line|
  9.times { |number| puts ticket(line, number) }
end
