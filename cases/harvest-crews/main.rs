//! Crews weigh the harvest of the orchards. After each day they meet, because the next day's plan needs all weights.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

static MET: AtomicU64 = AtomicU64::new(0);
static LAST_DAY: AtomicU64 = AtomicU64::new(u64::MAX);

/// The orchards by crew: the first crew has the old orchard, with nearly all trees.
const TREES: [u64; 3] = [60_000, 1_500, 900];

#[inline(never)]
fn weigh_trees(trees: u64, day: u64) -> u64 {
    let mut weight = day;
    for tree in 0..trees {
        for branch in 0..40 {
            weight = weight.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(tree ^ branch);
        }
    }
    weight
}

#[inline(never)]
fn meet(barrier: &Barrier) {
    let before = Instant::now();
    barrier.wait();
    MET.fetch_add(before.elapsed().as_micros() as u64, Ordering::Relaxed);
}

/// Harvests until two seconds are over, which the first crew decides for all before they meet.
fn harvest(crew: usize, start: Instant, barrier: &Barrier) -> u64 {
    let mut weight = 0;
    for day in 1.. {
        weight ^= weigh_trees(TREES[crew], day);
        if crew == 0 && start.elapsed() > Duration::from_secs(2) {
            LAST_DAY.store(day, Ordering::Release);
        }
        meet(barrier);
        if day >= LAST_DAY.load(Ordering::Acquire) {
            break;
        }
    }
    weight
}

fn main() {
    let barrier = Arc::new(Barrier::new(TREES.len()));
    let start = Instant::now();
    let crews: Vec<_> = (0..TREES.len())
        .map(|crew| {
            let barrier = Arc::clone(&barrier);
            std::thread::Builder::new().name(format!("crew-{crew}")).spawn(move || harvest(crew, start, &barrier)).unwrap()
        })
        .collect();
    let weight = crews.into_iter().fold(0, |sum, crew| sum ^ crew.join().unwrap());
    let took = start.elapsed().as_secs_f64();
    let idle = MET.load(Ordering::Relaxed) as f64 / 1e6 / took / (TREES.len() - 1) as f64;
    let days = LAST_DAY.load(Ordering::Relaxed);
    std::fs::write("truth", format!("days {days}\nidle_per_small_crew {idle:.3}\nweight {weight}\n")).unwrap();
}
