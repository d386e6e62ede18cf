# Prints the invoices of an evening: each job is rendered by the press program. A job that fails goes back to the front.
class Worker
  attr_reader :printed, :attempts

  def initialize(jobs)
    @jobs = jobs
    @printed = 0
    @attempts = 0
    @failed_time = 0.0
  end

  def clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def render(job)
    @attempts += 1
    system('perl', "#{ENV.fetch('CASE')}/press.pl", job[:number].to_s, job[:currency], out: 'page.txt')
  end

  def work(deadline)
    until @jobs.empty? || clock > deadline
      job = @jobs.shift
      start = clock
      if render(job)
        @printed += 1
      else
        @failed_time += clock - start
        @jobs.unshift(job)
      end
    end
    @failed_time
  end
end

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
jobs = (1..30).map { |i| { number: i, currency: i == 9 ? 'XBT' : %w[EUR CHF DKK][i % 3] } }
worker = Worker.new(jobs)
failed = worker.work(start + 2.0)
wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start + 0.06
puts "#{worker.printed} printed, #{worker.attempts} attempts, #{jobs.size} left"
File.write('truth', "failed #{(failed / wall).round(2)}\n")
