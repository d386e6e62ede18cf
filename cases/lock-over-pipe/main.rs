//! Four workers that log to one pipe.
use std::io::Write;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Times {
    lock: f64,
    write: f64,
}

#[inline(never)]
fn write_line(pipe: &mut ChildStdin, worker: usize, order: usize) {
    let text = format!("worker-{worker} order {order} {}\n", "detail ".repeat(575));
    pipe.write_all(text.as_bytes()).expect("a reader");
}

#[inline(never)]
fn log_order(log: &Mutex<ChildStdin>, worker: usize, order: usize, times: &mut Times) {
    let before = Instant::now();
    let mut pipe = log.lock().expect("no panic");
    times.lock += before.elapsed().as_secs_f64();
    let before = Instant::now();
    write_line(&mut pipe, worker, order);
    times.write += before.elapsed().as_secs_f64();
}

fn main() {
    let shipper = std::env::args().nth(1).expect("the log shipper");
    let mut child = Command::new(shipper).stdin(Stdio::piped()).spawn().expect("a child");
    let log = Arc::new(Mutex::new(child.stdin.take().expect("a pipe")));
    let start = Instant::now();
    let workers: Vec<_> = (0..4)
        .map(|worker| {
            let log = Arc::clone(&log);
            let name = format!("worker-{worker}");
            let body = move || {
                let (mut times, mut order) = (Times::default(), 0);
                while start.elapsed() < Duration::from_secs(2) {
                    log_order(&log, worker, order, &mut times);
                    order += 1;
                }
                times
            };
            thread::Builder::new().name(name).spawn(body).expect("a thread")
        })
        .collect();
    let times: Vec<Times> = workers.into_iter().map(|worker| worker.join().expect("no panic")).collect();
    let wall = start.elapsed().as_secs_f64();
    let write: f64 = times.iter().map(|times| times.write).sum();
    let lock: f64 = times.iter().map(|times| times.lock).sum();
    let truth = format!("writes_per_wall {:.3}\nlock_share_of_each {:.3}\n", write / wall, lock / wall / 4.0);
    std::fs::write("truth", truth).expect("a file");
    drop(log);
    child.kill().expect("a child");
    child.wait().expect("a child");
}
