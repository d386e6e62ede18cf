# The chains of chain.c in Ruby: blocks, hashes, regular expressions, garbage, a lock that two threads share.
require "json"
$lock = Mutex.new

def compute(seed)
  numbers = (0...700).sort_by { |i| (i * 7919 + seed) % 701 }
  text = JSON.generate(numbers.first(200).map { |i| { "a" => i, "b" => [i, i.to_s] } })
  text.gsub(/[0-9]+/) { |found| found.size.to_s }.size
end

def wait_a_little(n)
  n.odd? ? $lock.synchronize { sleep 0.0007 } : sleep(0.0007)
end

def bottom_0
  compute(0)
  wait_a_little(0)
  nil
end
def bottom_1
  compute(1)
  wait_a_little(1)
  nil
end
def bottom_2
  compute(2)
  wait_a_little(2)
  nil
end
def bottom_3
  compute(3)
  wait_a_little(3)
  nil
end
def bottom_4
  compute(4)
  wait_a_little(4)
  nil
end
def bottom_5
  compute(5)
  wait_a_little(5)
  nil
end
def bottom_6
  compute(6)
  wait_a_little(6)
  nil
end
def bottom_7
  compute(7)
  wait_a_little(7)
  nil
end

def turn_8(n)
  case n
  when 0 then bottom_0
  when 1 then bottom_1
  when 2 then bottom_2
  when 3 then bottom_3
  when 4 then bottom_4
  when 5 then bottom_5
  when 6 then bottom_6
  when 7 then bottom_7
  end
  nil
end

def left_7(n)
  turn_8(n)
  nil
end

def right_7(n)
  turn_8(n)
  nil
end

def left_6(n)
  n[7 % 3] == 1 ? right_7(n) : left_7(n)
  nil
end

def right_6(n)
  n[7 % 3] == 1 ? right_7(n) : left_7(n)
  nil
end

def left_5(n)
  n[6 % 3] == 1 ? right_6(n) : left_6(n)
  nil
end

def right_5(n)
  n[6 % 3] == 1 ? right_6(n) : left_6(n)
  nil
end

def left_4(n)
  n[5 % 3] == 1 ? right_5(n) : left_5(n)
  nil
end

def right_4(n)
  n[5 % 3] == 1 ? right_5(n) : left_5(n)
  nil
end

def left_3(n)
  n[4 % 3] == 1 ? right_4(n) : left_4(n)
  nil
end

def right_3(n)
  n[4 % 3] == 1 ? right_4(n) : left_4(n)
  nil
end

def left_2(n)
  n[3 % 3] == 1 ? right_3(n) : left_3(n)
  nil
end

def right_2(n)
  n[3 % 3] == 1 ? right_3(n) : left_3(n)
  nil
end

def left_1(n)
  n[2 % 3] == 1 ? right_2(n) : left_2(n)
  nil
end

def right_1(n)
  n[2 % 3] == 1 ? right_2(n) : left_2(n)
  nil
end

def left_0(n)
  n[1 % 3] == 1 ? right_1(n) : left_1(n)
  nil
end

def right_0(n)
  n[1 % 3] == 1 ? right_1(n) : left_1(n)
  nil
end

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def work(ends)
  n = 0
  while now < ends
    n.odd? ? right_0(n % 8) : left_0(n % 8)
    n += 1
  end
end

ends = now + Float(ARGV[0] || 1)
thread = Thread.new { work(ends) }
work(ends)
thread.join
