# Books hay wagons: each booking is a line in a book that others use, too.

def try_book(book)
  book.flock(File::LOCK_EX | File::LOCK_NB)
end

def take_book
  book = File.open("wagons.book", "a+")
  sleep 0.02 until try_book(book)
  book
end

def book_wagon(number)
  book = take_book
  book.puts "wagon #{number} goes to barn #{number % 7}"
  book.flock(File::LOCK_UN)
  book.close
end

finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
wagons = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
  book_wagon(wagons)
  wagons += 1
end
puts "#{wagons} wagons"
