-- Draws the contour lines of a landscape as an SVG file (marching squares).
local WIDTH, HEIGHT, STEP = 220, 220, 4

local function height_at(x, y)
  return math.sin(x / 17) * math.cos(y / 23) * 40 + math.sin((x + y) / 9) * 6
end

local function sample()
  local grid = {}
  for y = 0, HEIGHT do
    local row = {}
    for x = 0, WIDTH do row[x] = height_at(x, y) end
    grid[y] = row
  end
  return grid
end

local function between(a, b, level)
  return (level - a) / (b - a)
end

local function segment(svg, x1, y1, x2, y2)
  return svg .. string.format('<line x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f"/>\n', x1, y1, x2, y2)
end

local function square(svg, grid, x, y, level)
  local a, b, c, d = grid[y][x], grid[y][x + 1], grid[y + 1][x + 1], grid[y + 1][x]
  local points = {}
  local function cross(p, q, px, py, qx, qy)
    if (p < level) ~= (q < level) then
      local t = between(p, q, level)
      points[#points + 1] = { px + (qx - px) * t, py + (qy - py) * t }
    end
  end
  cross(a, b, x, y, x + 1, y)
  cross(b, c, x + 1, y, x + 1, y + 1)
  cross(c, d, x + 1, y + 1, x, y + 1)
  cross(d, a, x, y + 1, x, y)
  for i = 1, #points - 1, 2 do
    svg = segment(svg, points[i][1], points[i][2], points[i + 1][1], points[i + 1][2])
  end
  return svg
end

local function draw(grid, deadline)
  local svg, levels = "", 0
  for level = -44, 44, STEP do
    for y = 0, HEIGHT - 1 do
      for x = 0, WIDTH - 1 do svg = square(svg, grid, x, y, level) end
      if os.clock() > deadline then return svg, levels end
    end
    levels = levels + 1
  end
  return svg, levels
end

local grid = sample()
local svg, levels = draw(grid, 2)
local out = assert(io.open("contours.svg", "w"))
out:write('<svg xmlns="http://www.w3.org/2000/svg" stroke="brown">\n', svg, "</svg>\n")
out:close()
print(levels .. " levels, " .. #svg .. " bytes, " .. string.format("%.2f", os.clock()) .. " s of CPU time")
