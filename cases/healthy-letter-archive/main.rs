//! Makes a search index of a folder of letters: each file is read once.
use std::collections::HashMap;
use std::fs;
use std::time::Instant;

fn fingerprint(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[inline(never)]
fn index_letter(index: &mut HashMap<u64, Vec<u32>>, number: u32, text: &str) {
    let mut words: Vec<u64> = text.split_whitespace().map(fingerprint).collect();
    words.sort_unstable();
    words.dedup();
    for word in words {
        index.entry(word).or_default().push(number);
    }
}

fn main() {
    let start = Instant::now();
    let mut letters: Vec<_> = fs::read_dir("letters").unwrap().map(|entry| entry.unwrap().path()).collect();
    letters.sort();
    let (mut index, mut bytes, mut reading) = (HashMap::new(), 0, 0.0);
    for (number, path) in letters.iter().enumerate() {
        let before = Instant::now();
        let text = fs::read_to_string(path).unwrap();
        reading += before.elapsed().as_secs_f64();
        bytes += text.len();
        index_letter(&mut index, number as u32, &text);
    }
    let took = start.elapsed().as_secs_f64();
    let truth = format!("reading {:.3}\nletters {}\nbytes {bytes}\nwords {}\n", reading / took, letters.len(), index.len());
    fs::write("truth", truth).unwrap();
}
