// Four threads answer questions for prices from a table behind a reader-writer lock. A fifth reloads the table, and
// holds the write lock all the while it computes the new one.
use std::fs;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

static PRICES: RwLock<Vec<u64>> = RwLock::new(Vec::new());
static WAITED: AtomicU64 = AtomicU64::new(0);
static ASKED: AtomicU64 = AtomicU64::new(0);

fn price_of(article: usize) -> u64 {
    let before = Instant::now();
    let prices = PRICES.read().unwrap();
    WAITED.fetch_add(before.elapsed().as_nanos() as u64, Ordering::Relaxed);
    prices[article % prices.len()]
}

fn answer_questions(clerk: usize, until: Instant) {
    let mut sum = clerk as u64;
    while Instant::now() < until {
        sum = sum.wrapping_mul(31).wrapping_add(price_of(sum as usize));
        ASKED.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(2)); // sends the answer
    }
}

fn compute_prices(seed: u64) -> Vec<u64> {
    let before = Instant::now();
    let mut prices = vec![seed; 1000];
    while before.elapsed() < Duration::from_millis(130) {
        for price in &mut prices {
            *price = price.wrapping_mul(6364136223846793005).wrapping_add(seed);
        }
    }
    prices
}

fn reload_prices(seed: u64) {
    let mut prices = PRICES.write().unwrap();
    *prices = compute_prices(seed);
}

fn main() {
    *PRICES.write().unwrap() = vec![1; 1000];
    let until = Instant::now() + Duration::from_millis(2000);
    let named = |name: String| thread::Builder::new().name(name);
    let mut threads = vec![named("reloader".to_owned()).spawn(move || {
        let mut seed = 1;
        while Instant::now() < until {
            reload_prices(seed);
            seed += 1;
            thread::sleep(Duration::from_millis(15));
        }
    }).unwrap()];
    for clerk in 0..4 {
        threads.push(named(format!("clerk-{clerk}")).spawn(move || answer_questions(clerk, until)).unwrap());
    }
    for thread in threads {
        thread.join().unwrap();
    }
    let waited = WAITED.load(Ordering::Relaxed) as f64 / 4e9 / 2.0;
    fs::write("truth", format!("clerk_waits {waited:.3}\nasked {}\n", ASKED.load(Ordering::Relaxed))).unwrap();
}
