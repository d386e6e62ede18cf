//! Sorts small crates of readings. A crate is only shared among threads if it is worth it.

use std::thread;
use std::time::{Duration, Instant};

struct Crate {
    readings: Vec<u32>,
}

fn fill(serial: u32) -> Crate {
    let mut random = serial.wrapping_mul(2654435761) | 1;
    let readings = (0..120)
        .map(|_| {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            random % 100_000
        })
        .collect();
    Crate { readings }
}

fn workers_for(items: usize) -> usize {
    let cpus = thread::available_parallelism().map_or(1, |cpus| cpus.get());
    cpus.min(items / 50_000 + 1)
}

fn sort(readings: &mut [u32]) {
    let workers = workers_for(readings.len());
    if workers == 1 {
        readings.sort_unstable();
        return;
    }
    let part = readings.len().div_ceil(workers);
    thread::scope(|scope| {
        for chunk in readings.chunks_mut(part) {
            scope.spawn(move || chunk.sort_unstable());
        }
    });
    readings.sort();
}

fn median(crate_: &mut Crate) -> u32 {
    sort(&mut crate_.readings);
    crate_.readings[crate_.readings.len() / 2]
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let mut crates = 0u32;
    let mut sum = 0u64;
    while Instant::now() < end {
        let mut next = fill(crates);
        sum += u64::from(median(&mut next));
        crates += 1;
    }
    println!("{crates} crates, mean median {}", sum / u64::from(crates));
}
