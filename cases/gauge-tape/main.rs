//! Reads the punched tape of a river gauge, which was copied into a file, and looks for the highest water.
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::time::{Duration, Instant};

const RECORD: usize = 24;

fn write_tape(path: &str) -> std::io::Result<()> {
    let mut tape = BufWriter::new(File::create(path)?);
    for hour in 0..120_000u32 {
        writeln!(tape, "{hour:06};{:05};{:03}", 300 + hour * 7919 % 911, hour * 31 % 360)?;
    }
    tape.flush()
}

fn open_tape(path: &str) -> std::io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(RECORD, File::open(path)?))
}

fn highest(tape: impl BufRead) -> std::io::Result<(u32, u32)> {
    let mut best = (0, 0);
    for line in tape.lines() {
        let line = line?;
        let mut fields = line.split(';');
        let hour = fields.next().and_then(|text| text.parse().ok()).unwrap_or(0);
        let level = fields.next().and_then(|text| text.parse().ok()).unwrap_or(0);
        if level > best.1 {
            best = (hour, level);
        }
    }
    Ok(best)
}

fn main() -> std::io::Result<()> {
    write_tape("gauge.tape")?;
    let until = Instant::now() + Duration::from_secs(2);
    let mut years = 0;
    let mut best = (0, 0);
    while Instant::now() < until {
        best = highest(open_tape("gauge.tape")?)?;
        years += 1;
    }
    println!("{years} years, highest water {} in hour {}", best.1, best.0);
    Ok(())
}
