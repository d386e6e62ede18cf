//! Computes the levels of a river, and keeps a journal: what has been computed is made durable four times per second.
use std::fs::{File, remove_file, write};
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

#[inline(never)]
fn level(reach: u64) -> u64 {
    let mut water = reach;
    for n in 0..2_000 {
        water = water.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(n ^ reach) ^ water >> 31;
    }
    water
}

fn commit(journal: &mut BufWriter<File>) -> Duration {
    let before = Instant::now();
    journal.flush().unwrap();
    journal.get_ref().sync_data().unwrap();
    before.elapsed()
}

fn main() {
    let mut journal = BufWriter::with_capacity(1 << 16, File::create("river.journal").unwrap());
    let start = Instant::now();
    let (mut reaches, mut commits, mut syncing, mut due) = (0u64, 0, Duration::ZERO, Duration::from_millis(250));
    while start.elapsed() < Duration::from_millis(1900) {
        writeln!(journal, "{reaches} {}", level(reaches)).unwrap();
        reaches += 1;
        if start.elapsed() > due {
            syncing += commit(&mut journal);
            commits += 1;
            due += Duration::from_millis(250);
        }
    }
    syncing += commit(&mut journal);
    let share = syncing.as_secs_f64() / start.elapsed().as_secs_f64();
    remove_file("river.journal").unwrap();
    write("truth", format!("syncing {share:.4}\ncommits {commits}\nreaches {reaches}\n")).unwrap();
}
