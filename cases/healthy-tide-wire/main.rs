// Shows the levels of a harbour as its gauge reports them, for as many seconds as the argument says.
use std::io::{self, BufRead, BufReader};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

struct Level {
    centimetres: i32,
    reported: u32,
}

fn parse(line: &str) -> Option<Level> {
    let (number, level) = line.trim().split_once(' ')?;
    Some(Level { centimetres: level.parse().ok()?, reported: number.parse().ok()? })
}

fn follow(wire: UnixStream, seconds: u64) -> io::Result<Vec<Level>> {
    let start = Instant::now();
    let mut levels = Vec::new();
    let mut lines = BufReader::new(wire).lines();
    while start.elapsed() < Duration::from_secs(seconds) {
        match lines.next() {
            Some(line) => levels.extend(parse(&line?)),
            None => break,
        }
    }
    Ok(levels)
}

fn main() -> io::Result<()> {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(2);
    let levels = follow(UnixStream::connect("gauge.sock")?, seconds)?;
    for level in &levels {
        println!("{:4} {:5} cm", level.reported, level.centimetres);
    }
    Ok(())
}
