//! Checks the levels of the silos of a mill, and notes what it finds.
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

struct Silo {
    number: u32,
    tons: f64,
    trend: f64,
}

struct Reading {
    tick: u64,
    silo: usize,
    tons: f64,
}

struct Telemetry {
    state: u64,
    tick: u64,
}

impl Telemetry {
    fn next(&mut self, silos: &[Silo]) -> Reading {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.tick += 1;
        let silo = (self.state >> 33) as usize % silos.len();
        let change = ((self.state >> 40) % 2001) as f64 / 1000.0 - 1.0;
        Reading { tick: self.tick, silo, tons: silos[silo].tons + change }
    }
}

fn note(reading: &Reading, silo: &Silo) {
    eprintln!(
        "[{:>9}] silo {} of the mill has {:.2} tons, before {:.2}, trend {:+.3} per hour",
        reading.tick, silo.number, reading.tons, silo.tons, silo.trend
    );
}

fn update(silo: &mut Silo, reading: &Reading) {
    silo.trend = 0.9 * silo.trend + 0.1 * (reading.tons - silo.tons);
    silo.tons = reading.tons.clamp(0.0, 400.0);
}

fn main() -> std::io::Result<()> {
    let start = Instant::now();
    let mut silos: Vec<Silo> = (1..=24).map(|number| Silo { number, tons: 180.0, trend: 0.0 }).collect();
    let mut telemetry = Telemetry { state: 11, tick: 0 };
    let mut noting = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(2) {
        let reading = telemetry.next(&silos);
        let t = Instant::now();
        note(&reading, &silos[reading.silo]);
        noting += t.elapsed();
        update(&mut silos[reading.silo], &reading);
    }
    let all = start.elapsed();
    println!("{} readings, {:.1} tons", telemetry.tick, silos.iter().map(|s| s.tons).sum::<f64>());
    writeln!(File::create("truth")?, "share {:.3}\nreadings {}", noting.as_secs_f64() / all.as_secs_f64(), telemetry.tick)
}
