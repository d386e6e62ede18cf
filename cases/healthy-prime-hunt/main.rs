//! Counts primes, segment by segment, on all CPUs; each thread takes the next segment from a counter.
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SEGMENT: u64 = 1 << 19;
static NEXT: AtomicU64 = AtomicU64::new(1);

fn small_primes(limit: u64) -> Vec<u64> {
    let mut composite = vec![false; limit as usize + 1];
    let mut primes = Vec::new();
    for n in 2..=limit {
        if !composite[n as usize] {
            primes.push(n);
            (n * n..=limit).step_by(n as usize).for_each(|m| composite[m as usize] = true);
        }
    }
    primes
}

#[inline(never)]
fn sieve_segment(first: u64, primes: &[u64], composite: &mut [bool]) -> usize {
    composite.fill(false);
    for &prime in primes.iter().take_while(|&&p| p * p < first + SEGMENT) {
        let mut multiple = (first.div_ceil(prime) * prime).max(prime * prime) - first;
        while multiple < SEGMENT {
            composite[multiple as usize] = true;
            multiple += prime;
        }
    }
    composite.iter().filter(|&&c| !c).count()
}

fn hunt(primes: &[u64], start: Instant) -> usize {
    let (mut composite, mut found) = (vec![false; SEGMENT as usize], 0);
    while start.elapsed() < Duration::from_millis(1900) {
        found += sieve_segment(NEXT.fetch_add(1, Ordering::Relaxed) * SEGMENT, primes, &mut composite);
    }
    found
}

fn main() {
    let start = Instant::now();
    let primes = small_primes(200_000);
    let threads = thread::available_parallelism().unwrap().get();
    let found: usize = thread::scope(|scope| {
        let hunters: Vec<_> = (0..threads).map(|_| scope.spawn(|| hunt(&primes, start))).collect();
        hunters.into_iter().map(|hunter| hunter.join().unwrap()).sum()
    });
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let ticks: u64 = stat.rsplit(')').next().unwrap().split_whitespace().skip(11).take(2).map(|t| t.parse::<u64>().unwrap()).sum();
    let cpus = ticks as f64 / 100.0 / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("cpus_used {cpus:.2}\nsegments {}\nfound {found}\n", NEXT.load(Ordering::Relaxed))).unwrap();
}
