//! Plans the ballast of ships: one thread reads the loads, the other balances them; both have as much to do.
use std::io::Write;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

struct Load {
    ship: u32,
    weights: Vec<f64>,
}

fn survey(ship: u32) -> Load {
    let mut state = ship.wrapping_mul(2654435761) | 1;
    let mut weights = vec![0.0; 256];
    for _ in 0..700 {
        for w in weights.iter_mut() {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            *w += f64::from(state & 0xffff) / 65536.0;
        }
    }
    Load { ship, weights }
}

fn balance(load: &Load) -> (f64, f64) {
    let mut tanks = load.weights.clone();
    for _ in 0..310 {
        for i in 1..tanks.len() - 1 {
            tanks[i] += 0.2 * (tanks[i - 1] - 2.0 * tanks[i] + tanks[i + 1]);
        }
    }
    let moment = tanks.iter().enumerate().map(|(i, t)| (i as f64 - 127.5) * t).sum();
    (moment, tanks.iter().sum())
}

fn surveyor(out: SyncSender<Vec<Load>>, until: Instant) -> Duration {
    let mut idle = Duration::ZERO;
    let mut ship = 0;
    while Instant::now() < until {
        let batch = (0..24).map(|n| survey(ship + n)).collect();
        ship += 24;
        let t = Instant::now();
        if out.send(batch).is_err() {
            break;
        }
        idle += t.elapsed();
    }
    idle
}

fn planner(loads: Receiver<Vec<Load>>) -> (u32, f64, Duration) {
    let (mut ships, mut moments, mut idle) = (0, 0.0, Duration::ZERO);
    loop {
        let t = Instant::now();
        let Ok(batch) = loads.recv() else { break };
        idle += t.elapsed();
        for load in &batch {
            let (moment, weight) = balance(load);
            ships = ships.max(load.ship + 1);
            moments += moment / weight;
        }
    }
    (ships, moments, idle)
}

fn main() {
    let start = Instant::now();
    let (send, receive) = sync_channel(4);
    let first = thread::spawn(move || surveyor(send, start + Duration::from_secs(2)));
    let (ships, moments, waited) = planner(receive);
    let full = first.join().expect("the surveyor");
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{ships} ships, {moments:.3}, planner waited {waited:.2?}, surveyor {full:.2?} of {:.2?}", start.elapsed());
}
