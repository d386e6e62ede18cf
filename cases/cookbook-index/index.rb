# Makes the index of a collection of cookbooks. Books stay open for a while, because the next chapter often needs them again.
require "fileutils"

Process.setrlimit(Process::RLIMIT_NOFILE, 48, 48)

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class Shelf
  IDLE = 0.35 # seconds until a book is put back

  attr_reader :full, :waited

  def initialize(folder)
    @folder = folder
    @open = {}
    @full = 0
    @waited = 0.0
  end

  def put_back_idle
    @open.delete_if do |_, (book, used)|
      idle = now - used > IDLE
      book.close if idle
      idle
    end
  end

  def take(number)
    entry = @open[number] ||= [open_book(number), 0]
    entry[1] = now
    entry[0].rewind
    entry[0]
  end

  def open_book(number)
    File.open(File.join(@folder, "book-#{number}.txt"))
  rescue Errno::EMFILE
    @full += 1
    before = now
    sleep 0.06
    @waited += now - before
    put_back_idle
    retry
  end
end

def print_books(folder, count)
  FileUtils.mkdir_p(folder)
  count.times do |number|
    File.write(File.join(folder, "book-#{number}.txt"), (1..40).map { |page| "recipe #{number}.#{page} salt" }.join("\n"))
  end
end

def index(shelf, books)
  index = Hash.new(0)
  books.each do |number|
    shelf.take(number).each_line { |line| line.split.each { |word| index[word] += 1 } }
  end
  index
end

print_books("books", 260)
shelf = Shelf.new("books")
start = now
words = index(shelf, 0...260)
wall = now - start
File.write("index.txt", words.sort.map { |word, count| "#{word} #{count}" }.join("\n"))
File.write("truth", "share_waited #{(shelf.waited / wall).round(3)}\ntoo_many_open #{shelf.full}\nwords #{words.size}\n")
