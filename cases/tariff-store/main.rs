//! A store of tariffs: an ordered map in memory, and a journal that is made durable three times per second.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

struct Store {
    tariffs: BTreeMap<u64, u32>,
    journal: BufWriter<File>,
    synced: Instant,
    changes: u64,
}

impl Store {
    fn create(name: &str) -> io::Result<Store> {
        let journal = BufWriter::with_capacity(1 << 18, File::create(name)?);
        Ok(Store { tariffs: BTreeMap::new(), journal, synced: Instant::now(), changes: 0 })
    }

    fn set(&mut self, key: u64, cents: u32) -> io::Result<()> {
        self.tariffs.insert(key, cents);
        self.journal.write_all(&key.to_le_bytes())?;
        self.journal.write_all(&cents.to_le_bytes())?;
        self.changes += 1;
        Ok(())
    }

    fn sync_if_due(&mut self) -> io::Result<()> {
        if self.synced.elapsed() > Duration::from_millis(330) {
            self.journal.flush()?;
            self.journal.get_ref().sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    fn dearest(&self, from: u64) -> u32 {
        self.tariffs.range(from..).take(60).map(|(_, cents)| *cents).max().unwrap_or(0)
    }
}

fn main() -> io::Result<()> {
    let end = Instant::now() + Duration::from_secs(2);
    let mut store = Store::create("tariffs.journal")?;
    let mut x = 17u64;
    let mut sum = 0u64;
    while Instant::now() < end {
        for _ in 0..200 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let key = (x >> 33) % 150_000;
            if x >> 60 == 0 {
                store.set(key, (x >> 20) as u32 % 90_000)?;
            }
            sum += u64::from(store.dearest(key));
        }
        store.sync_if_due()?;
    }
    store.journal.flush()?;
    println!("{} tariffs, {} changes, {sum}", store.tariffs.len(), store.changes);
    Ok(())
}
