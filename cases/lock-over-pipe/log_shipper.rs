//! Takes a line of 4 KB every 4 ms, as if a far machine wanted it.
use std::io::Read;
use std::thread::sleep;
use std::time::Duration;

fn main() {
    let (mut line, mut input) = ([0; 4096], std::io::stdin().lock());
    while input.read_exact(&mut line).is_ok() {
        sleep(Duration::from_millis(4));
    }
}
