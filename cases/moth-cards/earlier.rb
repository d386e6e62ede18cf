# The cards of earlier nights.
folder = "trap-oak"
Dir.mkdir(folder)
3000.times { |n| File.write(File.join(folder, format("moth-%05d.txt", n)), "old lady\nseen at 23:#{n % 60}\n") }
