//! Counts the words of interviews on all CPUs, region by region, and merges the counts into the atlas.
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Entry {
    count: u64,
    regions: Vec<u32>,
}

fn interview(region: u32, part: u32) -> Vec<u8> {
    let syllables = ["ba", "le", "ki", "mor", "sta", "un", "fel", "gri", "hol", "ne", "zu", "ti", "wa", "rum", "se", "po"];
    let mut state = (region * 16 + part).wrapping_mul(2654435761) | 1;
    let mut text = Vec::with_capacity(320_000);
    for _ in 0..30_000 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        for shift in [0, 4, 8, 12] {
            text.extend_from_slice(syllables[(state >> shift & 15) as usize].as_bytes());
        }
        text.push(b' ');
    }
    text
}

fn count_words(region: u32, part: u32) -> HashMap<String, u32> {
    let text = interview(region, part);
    let mut counts = HashMap::new();
    for word in text.split(|&b| b == b' ').filter(|w| !w.is_empty()) {
        *counts.entry(String::from_utf8_lossy(word).into_owned()).or_insert(0) += 1;
    }
    counts
}

fn merge_into(atlas: &mut BTreeMap<String, Entry>, region: u32, counts: HashMap<String, u32>) {
    for (word, n) in counts {
        let entry = atlas.entry(word).or_default();
        entry.count += u64::from(n);
        if entry.regions.last() != Some(&region) {
            entry.regions.push(region);
        }
    }
}

fn main() -> std::io::Result<()> {
    let start = Instant::now();
    let mut atlas = BTreeMap::new();
    let mut merging = Duration::ZERO;
    let mut region = 0;
    while start.elapsed() < Duration::from_millis(2000) {
        let workers: Vec<_> = (0..2).map(|part| thread::spawn(move || count_words(region, part))).collect();
        let counts: Vec<_> = workers.into_iter().map(|w| w.join().expect("a worker")).collect();
        let t = Instant::now();
        for c in counts {
            merge_into(&mut atlas, region, c);
        }
        merging += t.elapsed();
        region += 1;
    }
    let wall = start.elapsed().as_secs_f64();
    let common = atlas.iter().max_by_key(|(_, e)| e.count).map(|(w, e)| format!("{w} {} in {}", e.count, e.regions.len()));
    println!("{region} regions, {} words, {}", atlas.len(), common.unwrap_or_default());
    writeln!(std::fs::File::create("truth")?, "share {:.3}", merging.as_secs_f64() / wall)
}
