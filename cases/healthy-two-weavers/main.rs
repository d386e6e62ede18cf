//! Weaves carpets with two threads: each takes a carpet from a common list (a mutex), and weaves it for a while alone.
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

struct Carpet {
    number: u64,
    size: usize,
}

#[inline(never)]
fn next_carpet(orders: &Mutex<u64>) -> Carpet {
    let mut number = orders.lock().unwrap();
    *number += 1;
    Carpet { number: *number, size: 300 }
}

#[inline(never)]
fn weave(carpet: &Carpet) -> u64 {
    let mut row: Vec<u64> = (0..carpet.size as u64).map(|x| x * 0x9e37 ^ carpet.number).collect();
    let mut knots = 0;
    for _ in 0..carpet.size * 4 {
        for x in 1..row.len() - 1 {
            row[x] = (row[x - 1] ^ (row[x] | row[x + 1])).rotate_left(3).wrapping_mul(31);
        }
        knots += row[row.len() / 2] & 1;
    }
    knots
}

fn main() {
    let orders = Arc::new(Mutex::new(0));
    let done = Arc::new(Mutex::new((0u64, 0u64)));
    let start = Instant::now();
    let weavers: Vec<_> = (0..2)
        .map(|n| {
            let (orders, done) = (orders.clone(), done.clone());
            std::thread::Builder::new()
                .name(format!("weaver-{n}"))
                .spawn(move || {
                    while start.elapsed() < Duration::from_secs(2) {
                        let carpet = next_carpet(&orders);
                        let knots = weave(&carpet);
                        let mut done = done.lock().unwrap();
                        done.0 += 1;
                        done.1 += knots;
                    }
                })
                .unwrap()
        })
        .collect();
    weavers.into_iter().for_each(|weaver| weaver.join().unwrap());
    let done = done.lock().unwrap();
    std::fs::write("truth", format!("carpets {}\nknots {}\n", done.0, done.1)).unwrap();
}
