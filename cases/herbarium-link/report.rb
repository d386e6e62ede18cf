# A report about a herbarium: how tall the plants are, by family and by decade.
require 'drb/drb'

class Report
  attr_reader :sheets

  def initialize(herbarium)
    @herbarium = herbarium
    @heights = Hash.new { |h, k| h[k] = [] }
    @places = Hash.new(0)
    @sheets = 0
  end

  def clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def add(sheet)
    @heights[[sheet.family, sheet.year / 10 * 10]] << sheet.height
    @places[sheet.place] += 1 if sheet.year > 1900
    @sheets += 1
  end

  def collect(seconds)
    deadline = clock + seconds
    size = @herbarium.size
    number = 0
    while clock < deadline
      add(@herbarium.sheet(number % size))
      number += 1
    end
  end

  def print
    @heights.sort.each do |(family, decade), heights|
      puts format('%-10s %ds %5.1f cm (%d)', family, decade, heights.sum.fdiv(heights.size), heights.size)
    end
    puts "#{@sheets} sheets, #{@places.size} places"
  end
end

DRb.start_service('druby://127.0.0.1:0')
report = Report.new(DRbObject.new_with_uri(File.read('uri')))
report.collect(2)
report.print
