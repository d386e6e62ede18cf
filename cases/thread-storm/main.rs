//! Starts a thread for every small job and waits for it.
use std::time::{Duration, Instant};

#[inline(never)]
fn handle_item(item: u64) -> u64 {
    std::thread::Builder::new()
        .name("one-item".to_owned())
        .spawn(move || item.wrapping_mul(31))
        .unwrap()
        .join()
        .unwrap()
}

fn main() {
    let (start, mut items, mut sum) = (Instant::now(), 0, 0u64);
    while start.elapsed() < Duration::from_millis(1500) {
        sum = sum.wrapping_add(handle_item(items));
        items += 1;
    }
    std::fs::write("truth", format!("threads {items}\nsum {sum}\n")).unwrap();
}
