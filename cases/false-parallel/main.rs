// Blurs the tiles of a picture "in parallel": one thread for each tile. But each is joined before the next
// one starts, so that only one computes at any time.
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

const SIDE: usize = 256;

fn blur_tile(seed: u32, rounds: u32) -> u64 {
    let mut tile: Vec<u32> = (0..SIDE * SIDE).map(|n| (n as u32).wrapping_mul(seed) >> 8).collect();
    for _ in 0..rounds {
        for n in SIDE + 1..SIDE * (SIDE - 1) - 1 {
            tile[n] = (tile[n - 1] + tile[n + 1] + tile[n - SIDE] + tile[n + SIDE]) / 4;
        }
    }
    tile.iter().map(|&value| u64::from(value)).sum()
}

/// Eight tiles, a thread for each.
fn blur_picture(picture: u32) -> u64 {
    let mut sum = 0;
    for tile in 0..8 {
        let worker = thread::Builder::new().name(format!("tile-{tile}"));
        let worker = worker.spawn(move || blur_tile(picture * 8 + tile + 3, 60)).unwrap();
        sum += worker.join().unwrap();
    }
    sum
}

/// What was meant: all threads compute, then all are joined.
fn blur_picture_as_meant(picture: u32) -> u64 {
    let tiles: Vec<_> = (0..8)
        .map(|tile| thread::spawn(move || blur_tile(picture * 8 + tile + 3, 60)))
        .collect();
    tiles.into_iter().map(|tile| tile.join().unwrap()).sum()
}

fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let start = Instant::now();
    let (mut pictures, mut sum) = (0, 0);
    while start.elapsed() < Duration::from_millis(2200) {
        sum ^= blur_picture(pictures);
        pictures += 1;
    }
    let cpus = cpu_seconds() / start.elapsed().as_secs_f64();
    let mut truth = format!("cpus {cpus:.2}\npictures {pictures}\nper_picture_ms {:.1}\nsum {sum}\n",
        start.elapsed().as_secs_f64() * 1000.0 / f64::from(pictures));
    if std::env::args().len() > 1 {
        let before = Instant::now();
        (0..pictures).for_each(|picture| sum ^= blur_picture_as_meant(picture));
        truth += &format!("as_meant_ms {:.1}\n", before.elapsed().as_secs_f64() * 1000.0 / f64::from(pictures));
    }
    fs::write("truth", truth).unwrap();
}
