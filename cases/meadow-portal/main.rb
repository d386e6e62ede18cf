# The portal of a nature reserve. In the mode for developers it reloads its pages when a file of them has changed.
class Reloader
  attr_reader :looked

  def initialize(folder)
    @files = Dir.glob("#{folder}/**/*.rhtml").sort
    @stamps = {}
    @looked = 0.0
    changed?
  end

  def changed?
    before = now
    changed = false
    @files.each do |file|
      stamp = File.mtime(file)
      changed = true if @stamps[file] != stamp
      @stamps[file] = stamp
    end
    @looked += now - before
    changed
  end
end

class Portal
  def initialize(folder, reloader)
    @folder = folder
    @reloader = reloader
    @pages = {}
  end

  def page(name)
    @pages.clear if @reloader.changed?
    @pages[name] ||= File.read("#{@folder}/#{name}.rhtml")
    @pages[name].sub('NAME', name.capitalize)
  end
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

opened = now
reloader = Reloader.new('pages')
portal = Portal.new('pages', reloader)
visits = bytes = 0
while now - opened < 2.0
  flower = visits * 31 % 40
  bytes += portal.page("area-0/flower-#{flower}").bytesize
  visits += 1
end
File.write('truth', "looked #{(reloader.looked / (now - opened)).round(3)}\nvisits #{visits}\nbytes #{bytes}\n")
