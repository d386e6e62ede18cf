# Files the moths of a night: each moth gets a card, with the next free number in the folder of its trap.
def clock
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

MOTHS = ["garden tiger", "emperor", "old lady", "silver y", "burnished brass", "peach blossom"]
FOLDER = "trap-oak"

def next_number
  newest = -1
  Dir.each_child(FOLDER) do |name|
    number = name[5, 5].to_i
    newest = number if number > newest
  end
  newest + 1
end

def file_card(moth, hour)
  before = clock
  number = next_number
  looked = clock - before
  name = format("moth-%05d.txt", number)
  File.write(File.join(FOLDER, name), "#{moth}\nseen at #{hour}\n")
  looked
end

start = clock
cards = 0
looking = 0.0
while clock - start < 2.0
  looking += file_card(MOTHS[cards * 7 % MOTHS.size], "#{22 + cards % 2}:#{cards % 60}")
  cards += 1
end

File.write("truth", "looking_share #{(looking / (clock - start)).round(3)}\ncards #{cards}\n")
