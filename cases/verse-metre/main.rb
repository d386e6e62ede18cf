# Marks the long and short syllables of an old epic, letter by letter.
VOWELS = "aeiouyäöüæœ"
VERSE = "Wæs se grimma gæst Grendel hāten, mære mearcstapa, sē þe mōras hēold. "

Metre = Struct.new(:long, :short)

def epic(verses)
  VERSE * verses
end

def long_syllable?(text, at)
  following = text[at + 1]
  following && !VOWELS.include?(following) && text[at + 2] != " "
end

def scan_metre(text)
  metre = Metre.new(0, 0)
  at = 0
  while at < text.length
    if VOWELS.include?(text[at])
      long_syllable?(text, at) ? metre.long += 1 : metre.short += 1
    end
    at += 1
  end
  metre
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
songs = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 1.7
  metre = scan_metre(epic(600))
  songs += 1
end
puts "#{songs} songs, #{metre.long} long, #{metre.short} short"
