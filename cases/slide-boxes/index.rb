# Makes an index of the slides in all boxes from the first bytes of each scan.
Slide = Struct.new(:path, :box, :number, :brightness)

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

class Archive
  attr_reader :reading

  def initialize(folder)
    @folder = folder
    @reading = 0.0
  end

  def boxes
    Dir.children(@folder).select { |name| name.start_with?("box-") }.sort
  end

  def read_head(path)
    before = now
    head = File.open(path, "rb") { |scan| scan.read(512) }
    @reading += now - before
    head
  end

  def slide(path)
    head = read_head(path)
    raise "#{path} is no slide" unless head.start_with?("SLIDE")

    box, number = head[5, 2].bytes
    Slide.new(path, box, number, head[7, 64].sum / 64)
  end

  def slides
    boxes.flat_map do |box|
      Dir.children(File.join(@folder, box)).sort.map { |name| slide(File.join(@folder, box, name)) }
    end
  end
end

start = now
archive = Archive.new(".")
slides = archive.slides
bright, dark = slides.partition { |slide| slide.brightness > 127 }
File.open("index.csv", "w") do |index|
  slides.each { |slide| index.puts([slide.box, slide.number, slide.brightness, slide.path].join(";")) }
end
puts "#{slides.size} slides, #{bright.size} bright, #{dark.size} dark"
wall = now - start
File.write("truth", "share_of_main #{(archive.reading / wall).round(3)}\nslides #{slides.size}\nseconds #{wall.round(3)}\n")
