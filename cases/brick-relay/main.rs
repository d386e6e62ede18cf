// A quarry hands bricks to a mason, one by one, and the mason builds a wall of them.
use std::fs;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

fn quarry(out: SyncSender<u32>, end: Instant) {
    let mut brick = 1u32;
    while Instant::now() < end {
        brick = brick.wrapping_mul(1664525).wrapping_add(1013904223);
        if out.send(brick % 25).is_err() {
            break;
        }
    }
}

fn build_wall(bricks: Receiver<u32>) -> (u64, u64) {
    let (mut laid, mut height) = (0, 0);
    for brick in bricks {
        laid += 1;
        height += u64::from(brick);
    }
    (laid, height)
}

fn work(room: usize, seconds: u64) -> (u64, u64) {
    let (out, bricks) = sync_channel(room);
    let end = Instant::now() + Duration::from_secs(seconds);
    let quarryman = thread::Builder::new().name("quarry".into()).spawn(move || quarry(out, end)).unwrap();
    let built = build_wall(bricks);
    quarryman.join().unwrap();
    built
}

fn main() {
    let room = std::env::args().nth(1).map_or(0, |word| word.parse().unwrap());
    let (laid, height) = work(room, 2);
    fs::write("truth", format!("bricks {laid}\nheight {height}\n")).unwrap();
}
