# Compares the payments of a bank with the books of a club: both are sorted by number, and read once side by side.
def payment(i)
  [i * 3 + i % 2, 100 + i * 7919 % 90_000]
end

def booking(i)
  [i * 3 + (i % 17 == 0 ? 2 : i % 2), 100 + i * 7919 % 90_000 + (i % 503 == 0 ? 1 : 0)]
end

class Reconciler
  attr_reader :matched, :missing, :extra, :wrong

  def initialize
    @matched = @missing = @extra = @wrong = 0
  end

  def merge(payments, bookings)
    i = j = 0
    while i < payments.size && j < bookings.size
      left = payments[i]
      right = bookings[j]
      if left[0] == right[0]
        left[1] == right[1] ? @matched += 1 : @wrong += 1
        i += 1
        j += 1
      elsif left[0] < right[0]
        @missing += 1
        i += 1
      else
        @extra += 1
        j += 1
      end
    end
  end
end

reconciler = Reconciler.new
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2.0
first = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
  numbers = first...(first + 2000)
  reconciler.merge(numbers.map { |i| payment(i) }, numbers.map { |i| booking(i) })
  first += 2000
end
puts "#{reconciler.matched} match, #{reconciler.missing} not booked, #{reconciler.extra} not paid, #{reconciler.wrong} differ"
