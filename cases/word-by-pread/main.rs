//! A spelling checker that looks up words in a sorted file of records.
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

const RECORD: usize = 32;

struct WordList {
    file: File,
    words: u64,
    reads: u64,
}

fn nth_word(number: u64) -> [u8; RECORD] {
    let mut record = [b' '; RECORD];
    record[..10].copy_from_slice(format!("word{number:06}").as_bytes());
    record
}

impl WordList {
    fn create(path: &str, words: u64) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        for number in 0..words {
            out.write_all(&nth_word(number * 2))?;
        }
        out.flush()
    }

    fn open(path: &str) -> std::io::Result<WordList> {
        let file = File::open(path)?;
        let words = file.metadata()?.len() / RECORD as u64;
        Ok(WordList { file, words, reads: 0 })
    }

    fn read_record(&mut self, number: u64) -> std::io::Result<[u8; RECORD]> {
        let mut record = [0; RECORD];
        self.file.read_exact_at(&mut record, number * RECORD as u64)?;
        self.reads += 1;
        Ok(record)
    }

    fn find_word(&mut self, word: &[u8; RECORD]) -> std::io::Result<bool> {
        let (mut low, mut high) = (0, self.words);
        while low < high {
            let middle = (low + high) / 2;
            match self.read_record(middle)?.cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(true),
            }
        }
        Ok(false)
    }
}

fn check_spelling(list: &mut WordList, text: &[[u8; RECORD]]) -> std::io::Result<usize> {
    let mut unknown = 0;
    for word in text {
        unknown += usize::from(!list.find_word(word)?);
    }
    Ok(unknown)
}

fn main() -> std::io::Result<()> {
    WordList::create("words.idx", 200_000)?;
    let mut list = WordList::open("words.idx")?;
    let text: Vec<_> = (0..5000u64).map(|n| nth_word(n * 104_729 % 400_000)).collect();
    let (start, mut unknown, mut texts) = (Instant::now(), 0, 0);
    while start.elapsed() < Duration::from_millis(1800) {
        unknown += check_spelling(&mut list, &text)?;
        texts += 1;
    }
    std::fs::write("truth", format!("reads {}\ntexts {texts}\nunknown {unknown}\n", list.reads))
}
