//! Looks up where parcels have been, in a store that writes its changes to one sorted segment after the other.
use std::convert::TryInto;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

const RECORD: usize = 32;
const PER_SEGMENT: u64 = 2048;

struct Segment {
    file: File,
    records: u64,
}

impl Segment {
    fn write(path: &Path, keys: &mut Vec<u64>) -> io::Result<()> {
        keys.sort_unstable();
        let mut bytes = Vec::with_capacity(keys.len() * RECORD);
        for key in keys.iter() {
            bytes.extend_from_slice(&key.to_be_bytes());
            bytes.extend_from_slice(&[(*key % 61) as u8; RECORD - 8]);
        }
        keys.clear();
        fs::write(path, bytes)
    }

    fn open(path: &Path) -> io::Result<Segment> {
        let file = File::open(path)?;
        let records = file.metadata()?.len() / RECORD as u64;
        Ok(Segment { file, records })
    }

    /// The record of a parcel, by halves.
    fn find(&self, key: u64) -> io::Result<Option<[u8; RECORD]>> {
        let (mut low, mut high) = (0, self.records);
        let mut record = [0; RECORD];
        while low < high {
            let middle = (low + high) / 2;
            self.file.read_exact_at(&mut record, middle * RECORD as u64)?;
            let found = u64::from_be_bytes(record[..8].try_into().expect("eight bytes"));
            match found.cmp(&key) {
                std::cmp::Ordering::Equal => return Ok(Some(record)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}

struct History {
    segments: Vec<Segment>,
}

impl History {
    fn open(folder: &str) -> io::Result<History> {
        let mut names: Vec<_> = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
        names.sort();
        Ok(History { segments: names.iter().map(|n| Segment::open(n)).collect::<Result<_, _>>()? })
    }

    /// The newest record: newer segments come later.
    fn last_stop(&self, parcel: u64) -> io::Result<Option<u8>> {
        for segment in self.segments.iter().rev() {
            if let Some(record) = segment.find(parcel)? {
                return Ok(Some(record[8]));
            }
        }
        Ok(None)
    }
}

fn fill(folder: &str, segments: u64) -> io::Result<()> {
    fs::create_dir(folder)?;
    let mut keys = Vec::new();
    for s in 0..segments {
        keys.extend((0..PER_SEGMENT).map(|i| (s * PER_SEGMENT + i).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20));
        Segment::write(&Path::new(folder).join(format!("{s:05}.seg")), &mut keys)?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("fill") {
        return fill("history", 90);
    }
    let start = Instant::now();
    let history = History::open("history")?;
    let (mut asked, mut known, mut stops) = (0u64, 0u64, 0u64);
    let mut x = 9u64;
    while start.elapsed() < Duration::from_secs(2) {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let n = (x >> 33) % (100 * PER_SEGMENT);
        if let Some(stop) = history.last_stop(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20)? {
            known += 1;
            stops += u64::from(stop);
        }
        asked += 1;
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{asked} asked, {known} known, stops {stops}")
}
