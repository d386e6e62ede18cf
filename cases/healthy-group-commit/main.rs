// A ledger: it checks and packs entries, and makes them durable in large groups, not one by one.
use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

fn check_entry(number: u64) -> u64 {
    (0..200).fold(number, |sum, n| (sum ^ n).wrapping_mul(0x100000001b3).rotate_left(7))
}

fn pack_group(group: &mut Vec<u8>, first: u64) -> u64 {
    let start = Instant::now();
    let mut number = first;
    group.clear();
    while start.elapsed() < Duration::from_millis(100) {
        group.extend(check_entry(number).to_le_bytes());
        number += 1;
    }
    number
}

fn commit(ledger: &mut File, group: &[u8]) {
    ledger.write_all(group).unwrap();
    ledger.sync_data().unwrap();
}

fn main() {
    let mut ledger = File::create("ledger.dat").unwrap();
    let (mut group, mut entries, mut groups, mut committing) = (Vec::new(), 0, 0, Duration::ZERO);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        entries = pack_group(&mut group, entries);
        let before = Instant::now();
        commit(&mut ledger, &group[..group.len().min(100_000)]);
        committing += before.elapsed();
        groups += 1;
    }
    let part = committing.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("committing {part:.3}\ngroups {groups}\nentries {entries}\n")).unwrap();
}
