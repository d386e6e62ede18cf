// Four draughtsmen draw gears; each asks the old calculator for the pitch, and only one at a time may use it.
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

struct Calculator {
    path: String,
    asked: u32,
}

impl Calculator {
    fn pitch(&mut self, teeth: u32) -> u32 {
        self.asked += 1;
        let out = Command::new("sh").arg(&self.path).arg(teeth.to_string()).output().unwrap();
        String::from_utf8_lossy(&out.stdout).trim().parse().unwrap()
    }
}

fn pitch_of(calculator: &Mutex<Calculator>, teeth: u32) -> (u32, Duration) {
    let before = Instant::now();
    let mut calculator = calculator.lock().unwrap();
    let waited = before.elapsed();
    (calculator.pitch(teeth), waited)
}

fn draw_gears(calculator: &Mutex<Calculator>, first: u32) -> (u64, Duration) {
    let (mut sum, mut waited) = (0, Duration::ZERO);
    for teeth in first..first + 7 {
        let (pitch, wait) = pitch_of(calculator, teeth);
        sum += u64::from(pitch * teeth);
        waited += wait;
    }
    (sum, waited)
}

fn main() {
    let path = format!("{}/pitch.sh", std::env::var("CASE").unwrap());
    let calculator = Arc::new(Mutex::new(Calculator { path, asked: 0 }));
    let start = Instant::now();
    let draughtsmen: Vec<_> = (0..4)
        .map(|n| {
            let calculator = Arc::clone(&calculator);
            thread::Builder::new().name(format!("draughtsman-{n}")).spawn(move || draw_gears(&calculator, 12 + n * 20)).unwrap()
        })
        .collect();
    let done: Vec<_> = draughtsmen.into_iter().map(|one| one.join().unwrap()).collect();
    let waited: f64 = done.iter().map(|(_, waited)| waited.as_secs_f64()).sum();
    let wall = start.elapsed().as_secs_f64();
    let sum: u64 = done.iter().map(|(sum, _)| sum).sum();
    fs::write("truth", format!("waiting {:.3}\nsum {sum}\n", waited / wall / 4.0)).unwrap();
}
