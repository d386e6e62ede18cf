-- The queue of a lantern maker: orders come in by the basket, and the workshop takes them in the order of arrival.
local kinds = { "paper", "brass", "storm", "festival" }

local Queue = {}
Queue.__index = Queue

function Queue.new()
    return setmetatable({ orders = {} }, Queue)
end

function Queue:put(order)
    self.orders[#self.orders + 1] = order
end

function Queue:take()
    return table.remove(self.orders, 1)
end

function Queue:length()
    return #self.orders
end

local function receive_basket(queue, number)
    for n = 1, 64 do
        queue:put({ kind = kinds[(number + n) % #kinds + 1], pieces = 1 + n % 5 })
    end
end

local function build(order, stock)
    stock[order.kind] = (stock[order.kind] or 0) + order.pieces
end

local queue = Queue.new()
local stock = {}
for basket = 1, 700 do
    receive_basket(queue, basket)
end

local start = os.clock()
local built = 0
while os.clock() - start < 2.0 do
    local order = queue:take()
    build(order, stock)
    built = built + 1
    if queue:length() < 44000 then
        receive_basket(queue, built)
    end
end

local truth = io.open("truth", "w")
truth:write(string.format("built %d\nwaiting %d\nbrass %d\n", built, queue:length(), stock.brass or 0))
truth:close()
