# A quiz about bird songs for the terminal of a visitor centre.
SONGS = {
  'a rapid twitter from a gorse bush' => 'linnet',
  'two notes, far away in the wood' => 'cuckoo',
  'a flute in the evening, from a roof' => 'blackbird',
  'pink pink, and a flourish' => 'chaffinch'
}.freeze

def ask(song)
  print "Who sings? #{song}: "
  $stdout.flush
  $stdin.gets&.strip
end

right = 0
SONGS.each do |song, bird|
  answer = ask(song)
  break if answer.nil?

  if answer == bird
    right += 1
    puts 'Right.'
  else
    puts "No, that was the #{bird}."
  end
end
puts "You know #{right} of #{SONGS.size}."
File.write('truth', "right #{right}\n")
