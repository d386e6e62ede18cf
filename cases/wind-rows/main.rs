//! Writes the wind of a field of turbines as a table, one row per turbine and minute.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

struct Turbine {
    number: u32,
    wind: f64,
    power: f64,
}

impl Turbine {
    fn step(&mut self, minute: u32) {
        let gust = ((minute * 31 + self.number * 17) % 97) as f64 / 97.0;
        self.wind = 0.9 * self.wind + 1.4 * gust;
        self.power = (self.wind.powi(3) * 4.2).min(3000.0);
    }
}

struct Table {
    file: File,
    rows: u64,
}

impl Table {
    fn create(name: &str) -> io::Result<Table> {
        let mut table = Table { file: File::create(name)?, rows: 0 };
        table.row(|out| writeln!(out, "minute;turbine;wind;power"))?;
        Ok(table)
    }

    fn row(&mut self, print: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(64 * 1024, &self.file);
        print(&mut out)?;
        self.rows += 1;
        out.flush()
    }
}

fn main() -> io::Result<()> {
    let end = Instant::now() + Duration::from_secs(2);
    let mut turbines: Vec<Turbine> = (0..80).map(|number| Turbine { number, wind: 5.0, power: 0.0 }).collect();
    let mut table = Table::create("wind.csv")?;
    let mut minute = 0;
    while Instant::now() < end {
        for turbine in &mut turbines {
            turbine.step(minute);
            table.row(|out| {
                writeln!(out, "{minute};{};{:.2};{:.1}", turbine.number, turbine.wind, turbine.power)
            })?;
        }
        minute += 1;
    }
    println!("{} rows", table.rows);
    Ok(())
}
