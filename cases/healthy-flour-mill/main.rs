//! A mill in two stages: the first grinds sacks of grain, the second sifts the flour. They work at the same time.
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

type Sack = Vec<u32>;

fn turn(grain: u32, times: u32) -> u32 {
    (0..times).fold(grain, |dust, n| dust.rotate_left(5).wrapping_mul(2_654_435_761).wrapping_add(n))
}

/// Grinds sacks until the day is over.
fn grind(out: SyncSender<Sack>, day: Duration) -> usize {
    let start = Instant::now();
    let mut sacks = 0;
    while start.elapsed() < day {
        let sack = (0..4000).map(|n| turn(n + sacks as u32, 300)).collect();
        if out.send(sack).is_err() {
            break;
        }
        sacks += 1;
    }
    sacks
}

/// Sifts what comes from the first stage.
fn sift(sacks: Receiver<Sack>) -> u64 {
    let mut fine = 0;
    for sack in sacks {
        fine += sack.into_iter().filter(|&grain| turn(grain, 300) % 3 == 0).count() as u64;
    }
    fine
}

fn main() {
    let (out, sacks) = sync_channel(16);
    let sifting = thread::Builder::new().name("sift".into()).spawn(move || sift(sacks)).unwrap();
    let sacks = grind(out, Duration::from_secs(2));
    let fine = sifting.join().unwrap();
    std::fs::write("truth", format!("sacks {sacks}\nfine {fine}\n")).unwrap();
}
