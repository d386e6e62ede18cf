# Stars with their places, and charts of them.
class Sky
  Star = Struct.new(:right_ascension, :declination, :magnitude)

  def initialize(count)
    @stars = (0...count).map do |n|
      Star.new(n * 7919 % 3600 / 10.0, n * 31 % 1800 / 10.0 - 90, n * 13 % 60 / 10.0)
    end
  end

  def chart(quarter, hour)
    grid = Array.new(64) { ' ' * 64 }
    @stars.each do |star|
      x, y = project(star, hour)
      next unless quarter_of(x, y) == quarter

      grid[(y.abs * 63).to_i][(x.abs * 63).to_i] = star.magnitude < 2 ? '*' : '.'
    end
    grid.join("\n")
  end

  private

  def project(star, hour)
    angle = (star.right_ascension + hour * 15) * Math::PI / 180
    height = star.declination * Math::PI / 180
    [Math.cos(angle) * Math.cos(height), Math.sin(angle) * Math.cos(height)]
  end

  def quarter_of(x, y)
    (x.negative? ? 1 : 0) + (y.negative? ? 2 : 0)
  end
end
