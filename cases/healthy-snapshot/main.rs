//! Makes a snapshot of a folder: cuts files into blocks, keeps each different block once, and syncs the archive at its end.
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

struct Archive {
    out: BufWriter<File>,
    known: HashMap<u64, u64>,
    written: u64,
    repeated: u64,
}

impl Archive {
    fn create(path: &str) -> std::io::Result<Archive> {
        Ok(Archive { out: BufWriter::with_capacity(1 << 20, File::create(path)?), known: HashMap::new(), written: 0, repeated: 0 })
    }

    fn add_block(&mut self, block: &[u8]) -> std::io::Result<u64> {
        let mut hasher = DefaultHasher::new();
        hasher.write(block);
        let name = hasher.finish();
        if let Some(at) = self.known.get(&name) {
            self.repeated += 1;
            return Ok(*at);
        }
        let at = self.written;
        self.out.write_all(block)?;
        self.written += block.len() as u64;
        self.known.insert(name, at);
        Ok(at)
    }

    fn finish(mut self) -> std::io::Result<(u64, u64)> {
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        Ok((self.written, self.repeated))
    }
}

fn document(number: u32) -> Vec<u8> {
    let mut dice = number % 40 + 1;
    (0..1_000_000)
        .map(|_| {
            dice = dice.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (dice >> 24) as u8
        })
        .collect()
}

/// Ends a block where the last bytes happen to have a certain sum, so that an insertion changes few blocks.
fn cut(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut blocks, mut from, mut sum) = (Vec::new(), 0, 0u32);
    for (n, byte) in bytes.iter().enumerate() {
        sum = (sum << 1).wrapping_add(u32::from(*byte) * 2_654_435);
        if (n - from > 2048 && sum >> 20 == 0) || n - from > 65_536 {
            blocks.push(&bytes[from..=n]);
            from = n + 1;
        }
    }
    blocks.push(&bytes[from..]);
    blocks
}

fn main() {
    let mut archive = Archive::create("snapshot.archive").unwrap();
    let (start, mut files, mut blocks) = (Instant::now(), 0, 0);
    while start.elapsed() < Duration::from_millis(1900) {
        let bytes = document(files);
        for block in cut(&bytes) {
            archive.add_block(block).unwrap();
            blocks += 1;
        }
        files += 1;
    }
    let before = Instant::now();
    let (written, repeated) = archive.finish().unwrap();
    let share = before.elapsed().as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("finishing {share:.3}\nfiles {files}\nblocks {blocks}\nrepeated {repeated}\nwritten {written}\n")).unwrap();
}
