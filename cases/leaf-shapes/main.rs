// Measures the leaves of a herbarium, each in a thread of its own.
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

fn area(leaf: u32) -> u32 {
    (0..40).fold(leaf, |sum, n| sum.wrapping_mul(31).wrapping_add(n)) % 900
}

fn measure(leaf: u32) -> u32 {
    thread::spawn(move || area(leaf)).join().unwrap()
}

fn main() {
    let start = Instant::now();
    let (mut leaves, mut all) = (0u32, 0u64);
    while start.elapsed() < Duration::from_secs(2) {
        all += u64::from(measure(leaves));
        leaves += 1;
    }
    let wall = start.elapsed().as_secs_f64();
    let before = Instant::now();
    let again: u64 = (0..leaves).map(|leaf| u64::from(area(std::hint::black_box(leaf)))).sum();
    assert_eq!(all, again);
    let work = before.elapsed().as_secs_f64();
    fs::write("truth", format!("leaves {leaves}\nwork {:.4}\narea {all}\n", work / wall)).unwrap();
}
