# Writes the menus of all canteens of a town into one large text.

def dish(day, canteen)
  "day #{day}, canteen #{canteen}: soup number #{(day * 7 + canteen) % 31} with bread, and an apple\n"
end

$joining = 0.0

def add_dish(text, line)
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  longer = text + line
  $joining += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
  longer
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
text = ""
dishes = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.2
  text = add_dish(text, dish(dishes / 40, dishes % 40))
  dishes += 1
end
File.write("menus.txt", text)
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("joining %.3f\ndishes %d\nsize %d\n", $joining / wall, dishes, text.bytesize))
