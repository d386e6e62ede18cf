//! Books the crates of an orchard in a ledger that the cider press uses, too.
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
struct Crate {
    row: u32,
    kilos: f64,
}

struct Ledger {
    file: File,
    queued: Duration,
}

impl Ledger {
    fn open(name: &str) -> io::Result<Ledger> {
        Ok(Ledger { file: OpenOptions::new().read(true).write(true).create(true).truncate(false).open(name)?, queued: Duration::ZERO })
    }

    fn book(&mut self, crates: &[Crate]) -> io::Result<()> {
        let mut text = String::new();
        for c in crates {
            text.push_str(&format!("{};{:.1}\n", c.row, c.kilos));
        }
        let t = Instant::now();
        self.file.lock()?;
        self.queued += t.elapsed();
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(text.as_bytes())?;
        self.file.unlock()
    }
}

fn weigh(row: u32) -> Vec<Crate> {
    (0..40)
        .map(|i| {
            let mut kilos = 0.0;
            for k in 0..2_000 {
                kilos += f64::from((row * 31 + i * 7 + k) % 19) / 2_000.0;
            }
            Crate { row, kilos: 8.0 + kilos }
        })
        .collect()
}

fn main() -> io::Result<()> {
    let start = Instant::now();
    let mut ledger = Ledger::open("crates.ledger")?;
    let mut row = 0;
    while start.elapsed() < Duration::from_secs(2) {
        let crates = weigh(row);
        ledger.book(&crates)?;
        row += 1;
    }
    println!("{row} rows");
    let share = ledger.queued.as_secs_f64() / start.elapsed().as_secs_f64();
    writeln!(File::create("truth")?, "share {share:.3}\nrows {row}")
}
