# Says where it is, and waits or computes there. Its argument is how often it does all that.

# Methods that are written in C: they have no place of their own.
IN_C = %w[times each map call inject sort_by send public_send instance_exec instance_eval eval resume].freeze

def say(kind)
  frames = caller_locations(1).reject { |at| IN_C.include?(at.label) || at.path.start_with?('<internal:') }
  puts "#{kind} #{frames.map { |at| "#{at.label}:#{at.path}:#{at.lineno}" }.join("\t")}"
end

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def pause = (say('wait'); sleep(0.005))

def spin = (say('cpu'); finish = now + 0.02; n = 0; n += 1 while n % 64 != 0 || now < finish)

def collect = (finish = now + 0.02; GC.start while now < finish)

class Ledger
  include Enumerable

  def post(depth)
    return pause if depth.zero?

    post(depth - 1)
  end

  def entries_of(year)
    yield year
    yield(year +
      1)
  end

  def method_missing(name, *)
    pause
  end

  def respond_to_missing?(*) = true

  def to_s
    pause
    'ledger'
  end

  def self.open
    new.instance_exec { pause }
  end
end

def blocks
  [3].each do |x|
    [x].map { pause
              spin }
  end
end

def rescued
  raise 'no'
rescue StandardError
  pause
ensure
  spin
end

def in_fiber
  fiber = Fiber.new do
    pause
    Fiber.yield
    spin
  end
  fiber.resume
  fiber.resume
end

def in_thread
  Thread.new { pause }.join
end

def évaluée
  eval("1\npause", binding, 'made-up.rb', 70)
end

define_method(:defined) { pause } if respond_to?(:define_method, true)
eval("def long\n#{"x = [1, 2, 3]\n" * 90}pause\n#{"x = { a: 1 }\n" * 90}spin\nend", TOPLEVEL_BINDING, 'long.rb')

Integer(ARGV.fetch(0)).times do
  ledger = Ledger.new
  ledger.post(3)
  ledger.post(300)
  ledger.entries_of(1999) { pause }
  ledger.anything
  "#{ledger}"
  Ledger.open
  blocks
  rescued
  in_fiber
  in_thread
  évaluée
  long
  [1, 2].inject { pause }
  collect
  $stdout.flush
end
