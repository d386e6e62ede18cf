//! Rings after some seconds: a soft egg, and then a hard one.
use std::time::{Duration, Instant};

fn ring(egg: usize, after: Duration) {
    let start = Instant::now();
    std::thread::sleep(after);
    println!("Egg {egg} is done after {:.1} s", start.elapsed().as_secs_f64());
}

fn main() {
    for (egg, word) in std::env::args().skip(1).enumerate() {
        match word.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            Some(after) => ring(egg + 1, after),
            None => eprintln!("{word} is no number of seconds"),
        }
    }
}
