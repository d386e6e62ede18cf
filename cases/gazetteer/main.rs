//! Looks up the places that walkers entered in their diaries.
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

const RECORD: u64 = 64;

struct Gazetteer {
    file: File,
    places: u64,
    reading: Duration,
}

struct Place {
    longitude: f64,
    latitude: f64,
    height: u32,
}

impl Gazetteer {
    fn open(path: &str) -> io::Result<Gazetteer> {
        let file = File::open(path)?;
        let places = file.metadata()?.len() / RECORD;
        Ok(Gazetteer { file, places, reading: Duration::ZERO })
    }

    #[inline(never)]
    fn read_record(&mut self, number: u64) -> io::Result<[u8; RECORD as usize]> {
        let mut record = [0u8; RECORD as usize];
        let before = Instant::now();
        self.file.read_exact_at(&mut record, number * RECORD)?;
        self.reading += before.elapsed();
        Ok(record)
    }

    #[inline(never)]
    fn find_place(&mut self, name: &str) -> io::Result<Option<Place>> {
        let mut hash = 0xcbf29ce484222325u64;
        for byte in name.bytes() {
            hash = (hash ^ byte as u64).wrapping_mul(0x100000001b3);
        }
        let record = self.read_record((hash ^ (hash >> 29)) % self.places)?;
        let text = String::from_utf8_lossy(&record);
        let mut fields = text.split(';').skip(1).map(str::trim);
        let mut number = || fields.next().and_then(|field| field.parse::<f64>().ok());
        Ok(match (number(), number(), number()) {
            (Some(longitude), Some(latitude), Some(height)) => Some(Place { longitude, latitude, height: height as u32 }),
            _ => None,
        })
    }
}

fn main() -> io::Result<()> {
    let mut gazetteer = Gazetteer::open("places.db")?;
    let start = Instant::now();
    let (mut found, mut highest, mut centre) = (0u32, 0, (0.0, 0.0));
    let mut walk = 0;
    while start.elapsed() < Duration::from_millis(2200) {
        for stop in ["hut", "summit", "bridge", "inn"] {
            if let Some(place) = gazetteer.find_place(&format!("walk {walk} {stop}"))? {
                found += 1;
                highest = highest.max(place.height);
                centre = (centre.0 + place.longitude, centre.1 + place.latitude);
            }
        }
        walk += 1;
    }
    println!("{walk} walks, highest place {highest} m, centre {:.3} {:.3}", centre.0 / found as f64, centre.1 / found as f64);
    let share = gazetteer.reading.as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("share {share:.3}\nplaces {found}\n"))
}
