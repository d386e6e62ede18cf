# The press house of a vineyard: keeps the book to itself while it presses, for 180 ms, and then lets others write.
File.open("grapes.book", "a+") do |book|
  loop do
    book.flock(File::LOCK_EX)
    File.write("ready", "") unless File.exist?("ready")
    sleep 0.18
    book.flock(File::LOCK_UN)
    sleep 0.0005
  end
end
