//! Finds the longest chain of tiles for a floor: steps of the "3n + 1" walk, shared out evenly to all CPUs.
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

const BLOCK: u64 = 20_000;

#[derive(Clone, Copy, Default)]
struct Chain {
    start: u64,
    length: u32,
}

fn length(mut tile: u64) -> u32 {
    let mut steps = 0;
    while tile != 1 {
        tile = if tile % 2 == 0 { tile / 2 } else { 3 * tile + 1 };
        steps += 1;
    }
    steps
}

fn longest_in(block: u64) -> Chain {
    let mut longest = Chain::default();
    for start in block * BLOCK + 1..=(block + 1) * BLOCK {
        let chain = Chain { start, length: length(start) };
        if chain.length > longest.length {
            longest = chain;
        }
    }
    longest
}

fn work(next: &AtomicU64, begin: Instant) -> Chain {
    let mut longest = Chain::default();
    while begin.elapsed().as_secs_f64() < 2.0 {
        let chain = longest_in(next.fetch_add(1, Ordering::Relaxed));
        if chain.length > longest.length {
            longest = chain;
        }
    }
    longest
}

fn main() {
    let begin = Instant::now();
    let next = AtomicU64::new(0);
    let threads = thread::available_parallelism().map_or(2, |count| count.get());
    let longest = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&next, begin))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).max_by_key(|chain| chain.length).unwrap()
    });
    let text = format!("blocks {}\nstart {}\nlength {}\n", next.load(Ordering::Relaxed), longest.start, longest.length);
    std::fs::write("truth", text).unwrap();
}
