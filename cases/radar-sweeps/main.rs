//! Finds the ships in the sweeps of a harbour radar.
use std::time::{Duration, Instant};

const ANGLES: usize = 4096;
const RANGES: usize = 8192;

struct Sweep {
    echoes: Vec<u8>,
}

struct Ship {
    angle: usize,
    range: usize,
}

impl Sweep {
    fn new() -> Sweep {
        Sweep { echoes: vec![0; ANGLES * RANGES] }
    }

    /// Enters the echoes of the harbour wall, one or two on each angle, and those of the ships.
    #[inline(never)]
    fn enter_echoes(&mut self, number: usize, ships: &[Ship]) {
        for angle in 0..ANGLES {
            let wall = 900 + (angle * 13 + number) % 400;
            self.echoes[angle * RANGES + wall] = 90;
            self.echoes[angle * RANGES + wall + 4096] = 30;
        }
        for ship in ships {
            let angle = (ship.angle + number) % ANGLES;
            self.echoes[angle * RANGES + ship.range] = 200;
        }
    }

    fn strongest(&self, ships: &[Ship], number: usize) -> usize {
        let seen = |ship: &&Ship| self.echoes[((ship.angle + number) % ANGLES) * RANGES + ship.range] > 150;
        ships.iter().filter(seen).count()
    }
}

fn fleet() -> Vec<Ship> {
    (0..50).map(|n| Ship { angle: n * 81 % ANGLES, range: 1500 + n * 97 % 2000 }).collect()
}

#[inline(never)]
fn watch_sweep(number: usize, ships: &[Ship]) -> usize {
    let mut sweep = Sweep::new();
    sweep.enter_echoes(number, ships);
    sweep.strongest(ships, number)
}

fn faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or("");
    fields.split_whitespace().nth(7).and_then(|field| field.parse().ok()).unwrap_or(0)
}

fn main() -> std::io::Result<()> {
    let ships = fleet();
    let start = Instant::now();
    let (mut sweeps, mut seen) = (0, 0);
    let mut watching = Duration::ZERO;
    while start.elapsed() < Duration::from_millis(2200) {
        let before = Instant::now();
        seen += watch_sweep(sweeps, &ships);
        watching += before.elapsed();
        sweeps += 1;
    }
    println!("{sweeps} sweeps, {seen} sightings");
    let per_sweep = faults() / sweeps as u64;
    std::fs::write("truth", format!("seconds_watching {:.3}\nsweeps {sweeps}\npage_faults_per_sweep {per_sweep}\n", watching.as_secs_f64()))
}
