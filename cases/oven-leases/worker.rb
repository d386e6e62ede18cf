#!/usr/bin/env ruby
# A worker of a bakery's job queue. Each job is a file; who works on it leases it for a while.
require 'json'

LEASE = 1.7
NAP = 0.05

def now = Process.clock_gettime(Process::CLOCK_REALTIME)

def enqueue(name, leased_until)
  File.write("jobs/#{name}.json", JSON.generate('name' => name, 'leased_until' => leased_until))
end

def take_job
  Dir.glob('jobs/*.json').sort.each do |path|
    job = JSON.parse(File.read(path))
    next if job['leased_until'] > now
    job['leased_until'] = now + LEASE
    File.write(path, JSON.generate(job))
    return [path, job]
  end
  nil
end

def bake(job)
  5_000.times.sum { |i| i * job['name'].length }
end

def work
  until Dir.empty?('jobs')
    path, job = take_job
    if path
      bake(job)
      File.delete(path)
    else
      sleep NAP
    end
  end
end

Dir.mkdir('jobs')
started = now
enqueue('rolls', started + LEASE) # a worker that has crashed had taken this one
%w[bread cake tart bun].each { |name| enqueue(name, 0) }
work
puts format('done after %.2f s', now - started)
