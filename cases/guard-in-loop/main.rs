//! Makes small pictures of photographs, by three workers that take jobs from a queue.

use std::collections::VecDeque;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const WORKERS: usize = 3;
const SIDE: usize = 256;

struct Photo {
    name: String,
    pixels: Vec<u8>,
}

#[derive(Default)]
struct Album {
    small: Mutex<Vec<(String, u64)>>,
    working: AtomicU64,
}

fn photos(number: usize) -> VecDeque<Photo> {
    (0..number)
        .map(|n| Photo {
            name: format!("photo-{n:04}.jpg"),
            pixels: (0..SIDE * SIDE).map(|at| (at * 31 + n * 17) as u8).collect(),
        })
        .collect()
}

fn blur(pixels: &mut [u8]) {
    for at in SIDE + 1..pixels.len() - SIDE - 1 {
        let around = [at - SIDE, at - 1, at, at + 1, at + SIDE];
        let sum: u32 = around.iter().map(|&at| u32::from(pixels[at])).sum();
        pixels[at] = (sum / 5) as u8;
    }
}

fn halve(pixels: &[u8]) -> Vec<u8> {
    pixels.chunks(2).map(|pair| pair[0] / 2 + pair.last().unwrap() / 2).collect()
}

fn shrink(photo: &Photo) -> u64 {
    let mut pixels = photo.pixels.clone();
    for _ in 0..8 {
        blur(&mut pixels);
    }
    let small = halve(&halve(&pixels));
    small.iter().fold(7, |hash, &byte| hash * 31_u64 % 1_000_003 + u64::from(byte))
}

fn add_to(album: &Album, photo: &Photo) {
    let before = Instant::now();
    let hash = shrink(photo);
    album.working.fetch_add(before.elapsed().as_nanos() as u64, Ordering::Relaxed);
    album.small.lock().unwrap().push((photo.name.clone(), hash));
}

fn worker(queue: &Mutex<VecDeque<Photo>>, album: &Album, end: Instant) {
    while let Some(photo) = queue.lock().unwrap().pop_front() {
        add_to(album, &photo);
        if Instant::now() > end {
            break;
        }
    }
}

fn main() -> std::io::Result<()> {
    let queue = Mutex::new(photos(2500));
    let album = Album::default();
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| worker(&queue, &album, start + Duration::from_millis(2200)));
        }
    });
    let wall = start.elapsed().as_nanos() as f64;
    let mut small = album.small.into_inner().unwrap();
    small.sort();
    let list: String = small.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
    fs::write("album.txt", list)?;
    let working = album.working.into_inner() as f64 / wall;
    fs::write("truth", format!("pictures {}\nworkers_at_work {working:.3}\n", small.len()))
}
