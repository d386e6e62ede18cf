# The herbarium's own process: its sheets are objects that other programs may ask (DRb).
require 'drb/drb'

class Sheet
  include DRb::DRbUndumped
  attr_reader :number, :family, :year, :height, :place, :collector

  def initialize(number)
    @number = number
    @family = %w[Rosaceae Poaceae Fabaceae Lamiaceae].rotate(number).first
    @year = 1850 + number * 7 % 170
    @height = 5 + number * 13 % 90
    @place = "valley #{number % 60}"
    @collector = "collector #{number % 25}"
  end
end

class Herbarium
  def initialize(count)
    @sheets = Array.new(count) { |n| Sheet.new(n) }
  end

  def size
    @sheets.size
  end

  def sheet(number)
    @sheets[number]
  end
end

DRb.start_service('druby://127.0.0.1:0', Herbarium.new(5000))
File.write('uri', DRb.uri)
File.write('ready', '')
DRb.thread.join
