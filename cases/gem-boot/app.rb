# A shop's console command: loads the application, and prints the version of its parts.
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
require File.expand_path('bundle/bundler/setup')

module Shop
  def self.load_parts(list)
    File.foreach(list, chomp: true) { |name| require name }
  end

  def self.versions
    Object.constants.grep(/\APart\d+\z/).sum { |c| Object.const_get(c)::VERSION }
  end
end

t = Process.clock_gettime(Process::CLOCK_MONOTONIC)
Shop.load_parts('bundle/all.txt')
loading = Process.clock_gettime(Process::CLOCK_MONOTONIC) - t
puts Shop.versions
warn format('%.2f s of loading in %.2f s', loading, Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)
