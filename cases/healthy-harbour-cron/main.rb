# Runs the small jobs of a harbour office when they are due, as cron does.
def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

Job = Struct.new(:name, :every, :command, :due)

class Timetable
  attr_reader :asleep, :at_work, :late, :runs

  def initialize(start, jobs)
    @jobs = jobs
    @jobs.each_with_index { |job, n| job.due = start + 0.1 * (n + 1) }
    @asleep = @at_work = @late = 0.0
    @runs = 0
  end

  def sleep_until(due)
    pause = due - now
    return if pause <= 0

    sleep(pause)
    @asleep += pause
  end

  def run_job(job)
    before = now
    @late = [@late, before - job.due].max
    system(*job.command, out: "#{job.name}.out") or raise job.name
    @at_work += now - before
    @runs += 1
    job.due += job.every
  end

  def run_next(limit)
    job = @jobs.min_by(&:due)
    return false if job.due > limit

    sleep_until(job.due)
    run_job(job)
    true
  end
end

start = now
table = Timetable.new(start, [
  Job.new("ships", 0.5, ["sort", "-t;", "-k2", "ships.csv"]),
  Job.new("berths", 0.7, ["sha256sum", "ships.csv"]),
  Job.new("tides", 0.9, ["wc", "-l", "ships.csv"]),
])
nil while table.run_next(start + 2.1)
wall = now - start
File.write("truth", format("asleep %.3f\nat_work %.3f\nlate_ms %.1f\nruns %d\n", table.asleep / wall, table.at_work / wall, table.late * 1000, table.runs))
