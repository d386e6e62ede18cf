# Looks for the best first moves of a lesson in draughts: each move is tried on a board of its own.

Piece = Struct.new(:colour, :king, :notes)

def new_board
  Array.new(8) { |row| Array.new(8) { |column| Piece.new(row < 3 ? :white : :black, false, ["from #{row}", "#{column}"]) if (row + column).odd? && (row < 3 || row > 4) } }
end

def copy_board(board)
  Marshal.load(Marshal.dump(board))
end

def move(board, row, column, side)
  board[row + 1][column + side], board[row][column] = board[row][column], nil
  board
end

def value(board)
  board.each_with_index.sum { |line, row| line[row % 2] ? 2 : 1 }
end

finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
board = new_board
tried = best = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
  column = 1 + 2 * (tried % 3)
  after = move(copy_board(board), 2, column, tried.even? ? 1 : -1)
  best = [best, value(after)].max
  tried += 1
end
puts "#{tried} moves, #{best}"
