//! Computes the tides of a coast from their parts, and prints them as a table.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

struct Part {
    hours: f64,
    metres: f64,
    phase: f64,
}

struct Harbour {
    name: String,
    parts: Vec<Part>,
}

fn harbours(count: usize) -> Vec<Harbour> {
    let part = |harbour: usize, n: usize| Part {
        hours: 4.0 + (n * 31 % 27) as f64 * 0.87,
        metres: 2.0 / (n + 1) as f64,
        phase: (harbour * 7919 + n * 13) as f64 % 6.28,
    };
    let harbour = |number| Harbour {
        name: format!("harbour-{number}"),
        parts: (0..37).map(|n| part(number, n)).collect(),
    };
    (0..count).map(harbour).collect()
}

fn height(harbour: &Harbour, hour: f64) -> f64 {
    let tide = |part: &Part| part.metres * (hour / part.hours * std::f64::consts::TAU + part.phase).cos();
    harbour.parts.iter().map(tide).sum()
}

fn print_day(out: &mut impl Write, harbour: &Harbour, day: u32) -> io::Result<()> {
    write!(out, "{} {day}", harbour.name)?;
    for hour in 0..24 {
        write!(out, " {:.2}", height(harbour, f64::from(day * 24 + hour)))?;
    }
    writeln!(out)
}

fn main() -> io::Result<()> {
    let harbours = harbours(40);
    let start = Instant::now();
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    let mut day = 0;
    while start.elapsed() < Duration::from_millis(1900) {
        for harbour in &harbours {
            print_day(&mut out, harbour, day)?;
        }
        day += 1;
    }
    out.flush()?;
    fs::write("truth", format!("days {day}\nlines {}\n", day as usize * harbours.len()))
}
