//! Checks the manifests of a ferry line: freight, weight and place of each item, and reports what is wrong.
use std::backtrace::Backtrace;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

struct Fault {
    kind: &'static str,
    line: usize,
    trace: Backtrace,
}

impl Fault {
    fn new(kind: &'static str, line: usize) -> Fault {
        Fault { kind, line, trace: Backtrace::capture() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}\n{}", self.line, self.kind, self.trace)
    }
}

struct Item {
    deck: u8,
    kilos: u32,
    what: String,
}

fn manifest(n: usize) -> Vec<String> {
    (0..4000)
        .map(|i| {
            let kilos = if (i + n) % 50 == 0 { "about 90".to_string() } else { (i * 37 % 900 + 5).to_string() };
            format!("{};{};crate of goods no. {}", i % 5 + 1, kilos, i * 13 + n)
        })
        .collect()
}

fn parse_item(text: &str, line: usize) -> Result<Item, Fault> {
    let mut cells = text.split(';');
    let deck = cells.next().and_then(|d| d.parse().ok()).ok_or_else(|| Fault::new("no deck", line))?;
    let kilos = cells.next().and_then(|k| k.parse().ok()).ok_or_else(|| Fault::new("no weight", line))?;
    let what = cells.next().ok_or_else(|| Fault::new("no goods", line))?.to_uppercase();
    Ok(Item { deck, kilos, what })
}

fn check(lines: &[String], faults: &mut Vec<String>) -> BTreeMap<u8, (u64, usize)> {
    let mut decks = BTreeMap::new();
    for (n, text) in lines.iter().enumerate() {
        match parse_item(text, n + 1) {
            Ok(item) => {
                let deck = decks.entry(item.deck).or_insert((0, 0));
                deck.0 += u64::from(item.kilos);
                deck.1 += item.what.len();
            }
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    decks
}

fn main() {
    let begin = Instant::now();
    let (mut done, mut wrong, mut kilos, mut checking) = (0, 0, 0, Duration::ZERO);
    while begin.elapsed() < Duration::from_secs(2) {
        let lines = manifest(done);
        let t = Instant::now();
        let mut faults = Vec::new();
        kilos += check(&lines, &mut faults).values().map(|d| d.0).sum::<u64>();
        checking += t.elapsed();
        wrong += faults.len();
        done += 1;
    }
    println!("{done} manifests, {kilos} kg, {wrong} faults, checked in {:.2} s of {:.2}", checking.as_secs_f64(), begin.elapsed().as_secs_f64());
}
