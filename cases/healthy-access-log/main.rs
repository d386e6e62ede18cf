// Analyses the access log of a day: how many requests, errors and bytes for each page, and the busiest visitors. One pass
// over the file with a buffered reader, and a small report at the end.
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::time::Instant;

#[derive(Default)]
struct Page {
    requests: u64,
    errors: u64,
    bytes: u64,
}

#[derive(Default)]
struct Day {
    pages: HashMap<String, Page>,
    visitors: HashMap<String, u64>,
    lines: u64,
    bad: u64,
}

fn note_line(day: &mut Day, line: &str) -> Option<()> {
    let mut words = line.split(' ');
    let visitor = words.next()?;
    let page = words.next()?;
    let status: u16 = words.next()?.parse().ok()?;
    let bytes: u64 = words.next()?.parse().ok()?;
    if !day.pages.contains_key(page) {
        day.pages.insert(page.to_owned(), Page::default());
    }
    let entry = day.pages.get_mut(page)?;
    entry.requests += 1;
    entry.errors += u64::from(status >= 500);
    entry.bytes += bytes;
    match day.visitors.get_mut(visitor) {
        Some(count) => *count += 1,
        None => {
            day.visitors.insert(visitor.to_owned(), 1);
        }
    }
    Some(())
}

fn read_day(path: &str) -> io::Result<Day> {
    let mut reader = BufReader::with_capacity(1 << 18, File::open(path)?);
    let mut day = Day::default();
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        day.lines += 1;
        if note_line(&mut day, line.trim_end()).is_none() {
            day.bad += 1;
        }
        line.clear();
    }
    Ok(day)
}

fn write_report(day: &Day, path: &str) -> io::Result<()> {
    let mut out = io::BufWriter::new(File::create(path)?);
    let mut pages: Vec<_> = day.pages.iter().collect();
    pages.sort_by_key(|(name, page)| (std::cmp::Reverse(page.bytes), name.as_str()));
    for (name, page) in pages.iter().take(100) {
        writeln!(out, "{name}: {} requests, {} errors, {} bytes", page.requests, page.errors, page.bytes)?;
    }
    let mut visitors: Vec<_> = day.visitors.iter().collect();
    visitors.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
    for (name, count) in visitors.iter().take(20) {
        writeln!(out, "{name}: {count} requests")?;
    }
    out.flush()
}

fn main() -> io::Result<()> {
    let start = Instant::now();
    let day = read_day("access.log")?;
    write_report(&day, "report.txt")?;
    let seconds = start.elapsed().as_secs_f64();
    fs::write("truth", format!("lines {}\nbad {}\nseconds {seconds:.2}\nmillion_lines_per_second {:.2}\n", day.lines, day.bad,
        day.lines as f64 / 1e6 / seconds))
}
