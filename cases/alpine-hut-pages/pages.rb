# Renders the pages of mountain huts from one ERB template, which is compiled once, and writes them into one file.
require 'erb'

Hut = Struct.new(:name, :metres, :beds, :open, :ways)
Way = Struct.new(:from, :hours, :marks)

class HutPages
  TEMPLATE = ERB.new(<<~PAGE, trim_mode: '-')
    <h1><%= hut.name %> (<%= hut.metres %> m)</h1>
    <p><%= hut.beds %> beds, open <%= hut.open %></p>
    <ul>
    <%- hut.ways.each do |way| -%>
      <li>from <%= way.from %>: <%= format('%.1f', way.hours) %> h, <%= way.marks.join(' and ') %></li>
    <%- end -%>
    </ul>
  PAGE
  TEMPLATE.def_method(self, 'render(hut)')
end

def huts
  random = Random.new(2)
  Enumerator.new do |out|
    (1..).each do |n|
      ways = Array.new(6) { |w| Way.new("Village #{(n + w) % 40}", random.rand * 6, %w[red white blue].sample(2, random: random)) }
      out << Hut.new("Hut #{n}", 1200 + n % 1800, 10 + n % 60, 'June to October', ways)
    end
  end
end

pages = HutPages.new
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 1.9
count = size = 0
File.open('huts.html', 'w') do |file|
  huts.each do |hut|
    size += file.write(pages.render(hut))
    count += 1
    break if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
  end
end
puts "#{count} pages, #{size} bytes"
