//! Answers where the nearest free bicycle of a city's fleet is.
use std::time::{Duration, Instant};

#[derive(Clone)]
struct Bike {
    label: String,
    station: String,
    at: (i64, i64),
    rented: bool,
}

struct Fleet {
    bikes: Vec<Bike>,
}

impl Fleet {
    fn new(count: i64) -> Fleet {
        let bike = |n: i64| Bike {
            label: format!("bicycle number {n}"),
            station: format!("station {}", n % 120),
            at: (n * 7919 % 10_000, n * 104_729 % 10_000),
            rented: n % 4 == 0,
        };
        Fleet { bikes: (0..count).map(bike).collect() }
    }

    fn all(&self) -> Vec<Bike> {
        self.bikes.clone()
    }

    fn nearest(&self, x: i64, y: i64) -> Option<Bike> {
        self.all().into_iter().filter(|bike| !bike.rented).min_by_key(|bike| {
            let (dx, dy) = (bike.at.0 - x, bike.at.1 - y);
            dx * dx + dy * dy
        })
    }
}

fn main() {
    let fleet = Fleet::new(6000);
    let start = Instant::now();
    let mut asked = 0i64;
    let mut letters = 0;
    while start.elapsed() < Duration::from_secs(2) {
        if let Some(bike) = fleet.nearest(asked * 37 % 10_000, asked * 91 % 10_000) {
            letters += bike.label.len() + bike.station.len();
        }
        asked += 1;
    }
    std::fs::write("truth", format!("asked {asked}\nletters {letters}\n")).unwrap();
}
