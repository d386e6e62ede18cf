//! Imports photos: threads read cached files, compute a checksum and a small preview of each; one thread collects.
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const WIDTH: usize = 1200;
const HEIGHT: usize = 800;

struct Photo {
    number: usize,
    checksum: u64,
    preview: Vec<u8>,
}

fn make_card(photos: usize) {
    std::fs::create_dir("card").unwrap();
    for n in 0..photos {
        let mut dice = n as u32 + 1;
        let dots: Vec<u8> = (0..WIDTH * HEIGHT)
            .map(|_| {
                dice = dice.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                (dice >> 24) as u8
            })
            .collect();
        std::fs::write(format!("card/photo-{n}.raw"), dots).unwrap();
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, b| (sum ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// The mean of each square of eight by eight dots.
fn make_preview(dots: &[u8]) -> Vec<u8> {
    let mut preview = Vec::with_capacity(WIDTH * HEIGHT / 64);
    for y in (0..HEIGHT).step_by(8) {
        for x in (0..WIDTH).step_by(8) {
            let sum: u32 = (0..8).map(|row| dots[(y + row) * WIDTH + x..][..8].iter().map(|d| u32::from(*d)).sum::<u32>()).sum();
            preview.push((sum / 64) as u8);
        }
    }
    preview
}

fn import(number: usize, of: usize) -> Photo {
    let dots = std::fs::read(format!("card/photo-{}.raw", number % of)).unwrap();
    Photo { number, checksum: checksum(&dots), preview: make_preview(&dots) }
}

fn main() {
    let photos = 30;
    make_card(photos);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let (start, next) = (Instant::now(), AtomicUsize::new(0));
    let (sender, receiver) = mpsc::channel();
    let (mut seen, mut bytes, mut last) = (HashMap::new(), 0, 0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while start.elapsed() < Duration::from_secs(2) {
                    sender.send(import(next.fetch_add(1, Ordering::Relaxed), photos)).unwrap();
                }
            });
        }
        drop(sender);
        for photo in receiver {
            bytes += photo.preview.len();
            last = last.max(photo.number);
            *seen.entry(photo.checksum).or_insert(0) += 1;
        }
    });
    std::fs::write("truth", format!("threads {threads}\nimported {}\ndifferent {}\npreview_bytes {bytes}\n", last + 1, seen.len())).unwrap();
}
