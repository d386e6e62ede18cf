# Downloads the list of a stamp dealer page by page.
require "net/http"

$waiting = 0.0

def fetch_page(dealer, page)
  before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  body = dealer.get("/stamps?page=#{page}").body
  $waiting += Process.clock_gettime(Process::CLOCK_MONOTONIC) - before
  body
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
stamps = 0
pages = 0
Net::HTTP.start("127.0.0.1", Integer(File.read("port"))) do |dealer|
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < start + 2.0
    stamps += fetch_page(dealer, pages).lines.size
    pages += 1
  end
end
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
File.write("truth", format("share %.3f\npages %d\nstamps %d\n", $waiting / wall, pages, stamps))
