-- The chains of chain.c in Lua: sorting with a callback, text. Lua has no call that sleeps: it waits for a command.
local function compute(seed)
  local numbers = {}
  for i = 1, 700 do numbers[i] = (i * 7919 + seed) % 701 end
  table.sort(numbers, function(a, b) return a < b end)
  local parts = {}
  for i = 1, 300 do parts[i] = string.format("%d=%s", numbers[i], tostring(i)) end
  return #(table.concat(parts, ","):gsub("%d+", function(found) return #found end))
end
local function wait_a_little()
  local pipe = io.popen("sleep 0.001")
  pipe:read("a")
  pipe:close()
end
function bottom_0() for i = 1, 20 do compute(0 + i) end wait_a_little() return 0 end
function bottom_1() for i = 1, 20 do compute(1 + i) end wait_a_little() return 0 end
function bottom_2() for i = 1, 20 do compute(2 + i) end wait_a_little() return 0 end
function bottom_3() for i = 1, 20 do compute(3 + i) end wait_a_little() return 0 end
function bottom_4() for i = 1, 20 do compute(4 + i) end wait_a_little() return 0 end
function bottom_5() for i = 1, 20 do compute(5 + i) end wait_a_little() return 0 end
function bottom_6() for i = 1, 20 do compute(6 + i) end wait_a_little() return 0 end
function bottom_7() for i = 1, 20 do compute(7 + i) end wait_a_little() return 0 end
function turn_8(n) local r = _G["bottom_" .. n]() return r + 1 end
function left_7(n) local r = turn_8(n) return r + 1 end
function right_7(n) local r = turn_8(n) return r + 1 end
function left_6(n) local r = n // 2 % 2 == 1 and right_7(n) or left_7(n) return r + 1 end
function right_6(n) local r = n // 2 % 2 == 1 and right_7(n) or left_7(n) return r + 1 end
function left_5(n) local r = n // 1 % 2 == 1 and right_6(n) or left_6(n) return r + 1 end
function right_5(n) local r = n // 1 % 2 == 1 and right_6(n) or left_6(n) return r + 1 end
function left_4(n) local r = n // 4 % 2 == 1 and right_5(n) or left_5(n) return r + 1 end
function right_4(n) local r = n // 4 % 2 == 1 and right_5(n) or left_5(n) return r + 1 end
function left_3(n) local r = n // 2 % 2 == 1 and right_4(n) or left_4(n) return r + 1 end
function right_3(n) local r = n // 2 % 2 == 1 and right_4(n) or left_4(n) return r + 1 end
function left_2(n) local r = n // 1 % 2 == 1 and right_3(n) or left_3(n) return r + 1 end
function right_2(n) local r = n // 1 % 2 == 1 and right_3(n) or left_3(n) return r + 1 end
function left_1(n) local r = n // 4 % 2 == 1 and right_2(n) or left_2(n) return r + 1 end
function right_1(n) local r = n // 4 % 2 == 1 and right_2(n) or left_2(n) return r + 1 end
function left_0(n) local r = n // 2 % 2 == 1 and right_1(n) or left_1(n) return r + 1 end
function right_0(n) local r = n // 2 % 2 == 1 and right_1(n) or left_1(n) return r + 1 end
local until_ = os.time() + (tonumber(arg[1]) or 1)
local n = 0
while os.time() < until_ do
  if n % 2 == 1 then right_0(n % 8) else left_0(n % 8) end
  n = n + 1
end
