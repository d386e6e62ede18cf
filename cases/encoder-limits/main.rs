// Encodes the frames of a video call on two threads, block by block, with a discrete cosine transform.
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SIZE: usize = 8;

struct Block([[f64; SIZE]; SIZE]);

fn capture(frame: u64, number: u64) -> Block {
    let mut block = [[0.0; SIZE]; SIZE];
    for (y, row) in block.iter_mut().enumerate() {
        for (x, dot) in row.iter_mut().enumerate() {
            *dot = ((frame * 31 + number * 17 + (x * y) as u64) % 255) as f64 - 127.0;
        }
    }
    Block(block)
}

#[inline(never)]
fn transform(block: &Block, cosines: &[[f64; SIZE]; SIZE]) -> Block {
    let mut rows = [[0.0; SIZE]; SIZE];
    let mut out = [[0.0; SIZE]; SIZE];
    for y in 0..SIZE {
        for u in 0..SIZE {
            rows[y][u] = (0..SIZE).map(|x| block.0[y][x] * cosines[u][x]).sum();
        }
    }
    for v in 0..SIZE {
        for u in 0..SIZE {
            out[v][u] = (0..SIZE).map(|y| rows[y][u] * cosines[v][y]).sum();
        }
    }
    Block(out)
}

#[inline(never)]
fn encode_frame(frame: u64, cosines: &[[f64; SIZE]; SIZE]) -> u64 {
    (0..900).map(|n| transform(&capture(frame, n), cosines)).map(|b| b.0.iter().flatten().filter(|c| c.abs() > 40.0).count() as u64).sum()
}

fn main() {
    let mut cosines = [[0.0; SIZE]; SIZE];
    for (u, row) in cosines.iter_mut().enumerate() {
        for (x, c) in row.iter_mut().enumerate() {
            *c = ((2 * x + 1) as f64 * u as f64 * std::f64::consts::PI / 16.0).cos() / 2.0;
        }
    }
    let (frames, kept) = (AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while start.elapsed() < Duration::from_secs(2) {
                    let frame = frames.fetch_add(1, Ordering::Relaxed);
                    kept.fetch_add(encode_frame(frame, &cosines), Ordering::Relaxed);
                }
            });
        }
    });
    println!("{} frames, {} coefficients", frames.into_inner(), kept.into_inner());
}
