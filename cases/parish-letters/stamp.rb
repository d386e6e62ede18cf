# Puts the postage on each letter, as the price list says, until the mail van leaves.
def postage(text)
  text.size > 100 ? 1.45 : 0.85
end

def ledger(line)
  File.open('ledger.txt', File::WRONLY | File::CREAT | File::APPEND) do |file|
    file.write(line)
    file.fsync
  end
end

leaves = Process.clock_gettime(Process::CLOCK_MONOTONIC) + ARGV[0].to_f
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < leaves && (line = STDIN.gets)
  number, member, text = line.chomp.split(';')
  ledger("#{number} #{member} #{postage(text)}\n")
  puts "#{number};#{member};#{postage(text)};#{text}"
end
