//! Reports the state of a beacon to a coast station, and waits for its receipt.
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

struct Beacon {
    name: &'static str,
    volts: f64,
    flashes: u64,
}

struct Station {
    stream: TcpStream,
    receipts: BufReader<TcpStream>,
    reporting: Duration,
}

impl Station {
    fn connect() -> io::Result<Station> {
        let port = fs::read_to_string("port")?;
        let stream = TcpStream::connect(("127.0.0.1", port.trim().parse().map_err(io::Error::other)?))?;
        Ok(Station { receipts: BufReader::new(stream.try_clone()?), stream, reporting: Duration::ZERO })
    }

    fn report(&mut self, beacon: &Beacon) -> io::Result<u64> {
        let t = Instant::now();
        writeln!(self.stream, "{} {:.2} {}", beacon.name, beacon.volts, beacon.flashes)?;
        let mut line = String::new();
        self.receipts.read_line(&mut line)?;
        self.reporting += t.elapsed();
        line.trim().parse().map_err(io::Error::other)
    }
}

fn flash(beacon: &mut Beacon) {
    let mut heat = 0.0f64;
    for i in 0..60_000 {
        heat += (f64::from(i) * 0.001).sin().abs();
    }
    beacon.volts = 12.0 + heat.fract() / 2.0;
    beacon.flashes += 1;
}

fn main() -> io::Result<()> {
    let start = Instant::now();
    let mut station = Station::connect()?;
    let mut beacon = Beacon { name: "outer-reef", volts: 12.4, flashes: 0 };
    let mut last = 0;
    while start.elapsed() < Duration::from_secs(2) {
        flash(&mut beacon);
        last = station.report(&beacon)?;
    }
    println!("{} flashes, last receipt {last}", beacon.flashes);
    let share = station.reporting.as_secs_f64() / start.elapsed().as_secs_f64();
    writeln!(File::create("truth")?, "share {share:.3}\nreports {}", beacon.flashes)
}
