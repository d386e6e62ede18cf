//! Bills the cars that pass a toll gate: the gate reads their plates, the office adds up.
use std::collections::HashMap;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

struct Passage {
    plate: u32,
    axles: u32,
}

/// Reads the passages until the shift is over.
fn watch_gate(office: SyncSender<Passage>, shift: Duration) -> u64 {
    let start = Instant::now();
    let mut seen = 0u64;
    while start.elapsed() < shift {
        let passage = Passage { plate: (seen * 7919 % 5003) as u32, axles: 2 + (seen % 3) as u32 };
        if office.send(passage).is_err() {
            break;
        }
        seen += 1;
    }
    seen
}

/// Adds up what each car owes.
fn keep_accounts(gate: Receiver<Passage>) -> HashMap<u32, u32> {
    let mut owed = HashMap::new();
    for passage in gate {
        *owed.entry(passage.plate).or_insert(0) += passage.axles * 45;
    }
    owed
}

fn main() {
    let (gate, office) = sync_channel(0);
    let accounts = thread::Builder::new().name("office".into()).spawn(move || keep_accounts(office)).unwrap();
    let watcher = thread::Builder::new()
        .name("gate".into())
        .spawn(move || watch_gate(gate, Duration::from_secs(2)))
        .unwrap();
    let seen = watcher.join().unwrap();
    let owed = accounts.join().unwrap();
    let cents: u64 = owed.values().map(|&cents| cents as u64).sum();
    std::fs::write("truth", format!("passages {seen}\ncars {}\ncents {cents}\n", owed.len())).unwrap();
}
