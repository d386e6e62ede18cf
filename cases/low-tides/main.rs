//! Reads the values of a tide gauge, which are separated by commas.
use std::fs::{self, File};
use std::io::Read;
use std::time::{Duration, Instant};

fn write_gauge(path: &str) {
    let text: String = (0..12_000u32).map(|n| format!("{},", n * 7919 % 4000)).collect();
    fs::write(path, text).unwrap();
}

#[inline(never)]
fn next_value(file: &mut impl Iterator<Item = std::io::Result<u8>>) -> Option<u32> {
    let mut value = None;
    for byte in file {
        match byte.unwrap() {
            b',' => return value,
            digit => value = Some(value.unwrap_or(0) * 10 + u32::from(digit - b'0')),
        }
    }
    value
}

fn highest_tide(path: &str) -> u32 {
    let mut bytes = File::open(path).unwrap().bytes();
    std::iter::from_fn(|| next_value(&mut bytes)).max().unwrap_or(0)
}

fn main() {
    write_gauge("gauge.csv");
    let (start, mut days, mut sum) = (Instant::now(), 0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        sum += highest_tide("gauge.csv");
        days += 1;
    }
    let bytes = days * fs::metadata("gauge.csv").unwrap().len();
    fs::remove_file("gauge.csv").unwrap();
    let each = start.elapsed().as_nanos() / u128::from(bytes);
    fs::write("truth", format!("bytes {bytes}\nns_per_byte {each}\nsum {sum}\n")).unwrap();
}
