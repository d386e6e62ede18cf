//! Renders rows one after the other, while the other CPUs have nothing to do.
use std::time::{Duration, Instant};

#[inline(never)]
fn render_row(row: u64) -> u64 {
    (0..20_000).fold(row, |pixel, n| pixel.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n))
}

fn main() {
    let (start, mut rows, mut sum) = (Instant::now(), 0, 0u64);
    while start.elapsed() < Duration::from_millis(1500) {
        sum ^= render_row(rows);
        rows += 1;
    }
    std::fs::write("truth", format!("rows {rows}\nsum {sum}\n")).unwrap();
}
