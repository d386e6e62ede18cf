# Seats the guests of large weddings at tables: whoever has a seat does not wait any more.
SECONDS = 2.0

Guest = Struct.new(:name, :family, :age)

def guests(wedding)
  Array.new(5_000) { |n| Guest.new("guest #{n}", (n * 7919 + wedding) % 180, (n * 31 + wedding) % 90) }
end

def next_guest(waiting, table)
  neighbour = table.last
  waiting.first(12).min_by { |guest| neighbour ? (guest.age - neighbour.age).abs : guest.age }
end

def seat(waiting, table)
  guest = next_guest(waiting, table)
  table << guest
  waiting - [guest]
end

def tables_for(wedding, limit)
  waiting = guests(wedding)
  tables = []
  until waiting.empty? || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
    table = []
    waiting = seat(waiting, table) while table.size < 10 && !waiting.empty?
    tables << table
  end
  tables
end

limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
weddings = 0
tables = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < limit
  tables += tables_for(weddings, limit).size
  weddings += 1
end
puts "#{tables} tables at #{weddings} weddings"
