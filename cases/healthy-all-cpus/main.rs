//! Counts primes on all CPUs: as fast as this machine can.
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[inline(never)]
fn is_prime(number: u64) -> bool {
    (2..).take_while(|d| d * d <= number).all(|d| number % d != 0)
}

fn main() {
    let next = AtomicU64::new(10_000_000_000);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while start.elapsed() < Duration::from_millis(1500) {
                    std::hint::black_box(is_prime(next.fetch_add(1, Ordering::Relaxed)));
                }
            });
        }
    });
}
