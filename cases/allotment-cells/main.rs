//! Imports the sheets of an allotment club: cells that are no numbers count as missing.
use std::collections::BTreeMap;
use std::io::Write;
use std::panic;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Column {
    sum: f64,
    count: u32,
    missing: u32,
}

fn make_sheet(number: u32) -> String {
    let words = ["", "n/a", "-", "see notes", "?"];
    let mut state = number.wrapping_mul(2246822519) | 1;
    let mut sheet = String::from("plot;potatoes;beans;leek;water\n");
    for plot in 0..400 {
        sheet.push_str(&plot.to_string());
        for _ in 0..4 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            sheet.push(';');
            if state % 10 < 3 {
                sheet.push_str(words[(state >> 8) as usize % words.len()]);
            } else {
                sheet.push_str(&format!("{}.{}", state >> 8 & 255, state >> 16 & 7));
            }
        }
        sheet.push('\n');
    }
    sheet
}

fn weight(cell: &str) -> f64 {
    let value: f64 = cell.trim().parse().expect("a weight");
    assert!(value >= 0.0, "a negative weight");
    value
}

fn weight_or_missing(cell: &str) -> Option<f64> {
    panic::catch_unwind(|| weight(cell)).ok()
}

fn import(sheet: &str, columns: &mut BTreeMap<String, Column>, trying: &mut Duration) {
    let mut lines = sheet.lines();
    let names: Vec<&str> = lines.next().unwrap_or("").split(';').collect();
    for line in lines {
        for (name, cell) in names.iter().zip(line.split(';')).skip(1) {
            let t = Instant::now();
            let value = weight_or_missing(cell);
            *trying += t.elapsed();
            let column = match columns.get_mut(*name) {
                Some(c) => c,
                None => columns.entry(name.to_string()).or_default(),
            };
            match value {
                Some(v) => {
                    column.sum += v;
                    column.count += 1;
                }
                None => column.missing += 1,
            }
        }
    }
}

fn main() -> std::io::Result<()> {
    panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let mut columns = BTreeMap::new();
    let mut trying = Duration::ZERO;
    let mut sheets = 0;
    while start.elapsed() < Duration::from_millis(2000) {
        let sheet = make_sheet(sheets);
        import(&sheet, &mut columns, &mut trying);
        sheets += 1;
    }
    for (name, c) in &columns {
        println!("{name}: {:.2} in {}, {} missing", c.sum / f64::from(c.count.max(1)), c.count, c.missing);
    }
    let wall = start.elapsed().as_secs_f64();
    writeln!(std::fs::File::create("truth")?, "share {:.3}", trying.as_secs_f64() / wall)
}
