# Computes the table of a sundial: the shadow for each minute of a year, for many places.

def shadow(latitude, day, minute)
  declination = 0.409 * Math.sin(2 * Math::PI * (day - 81) / 365.0)
  hour = (minute - 720) / 720.0 * Math::PI
  height = Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hour)
  height > 0.05 ? Math.sqrt(1 - height * height) / height : 0.0
end

def longest_shadow(latitude, day)
  longest = 0.0
  minute = 240
  while minute < 1200
    length = shadow(latitude, day, minute)
    longest = length if length > longest
    minute += 1
  end
  longest
end

finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
days = 0
sum = 0.0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
  sum += longest_shadow(0.7 + days % 40 * 0.005, days % 365)
  days += 1
end
puts "#{days} days, #{sum.round}"
