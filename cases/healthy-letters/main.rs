//! Counts pairs of letters in a large text, on all CPUs; each thread has its own table.

use std::fs;
use std::io::Read;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

const CHUNK: usize = 4 << 20;

type Table = Vec<u64>;

fn write_text(path: &str) -> std::io::Result<()> {
    let mut text = Vec::with_capacity(24 << 20);
    let mut value = 12345_u32;
    while text.len() < 24 << 20 {
        value = value.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        text.push(b'a' + (value >> 16) as u8 % 26);
        if value % 7 == 0 {
            text.push(b' ');
        }
    }
    fs::write(path, text)
}

fn letter(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => usize::from(byte - b'a'),
        _ => 26,
    }
}

fn count_pairs(text: &[u8], table: &mut Table) {
    for pair in text.windows(2) {
        table[letter(pair[0]) * 27 + letter(pair[1])] += 1;
    }
}

fn merge(into: &Mutex<Table>, table: &Table) {
    let mut sum = into.lock().unwrap();
    for (total, count) in sum.iter_mut().zip(table) {
        *total += count;
    }
}

fn work(text: &[u8], number: usize, workers: usize, end: Instant, sum: &Mutex<Table>) -> u32 {
    let mut table = vec![0; 27 * 27];
    let mut chunks = 0;
    for chunk in text.chunks(CHUNK).cycle().skip(number).step_by(workers) {
        count_pairs(chunk, &mut table);
        chunks += 1;
        if Instant::now() > end {
            break;
        }
    }
    merge(sum, &table);
    chunks
}

fn cpu_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let number = |n: usize| fields.get(n).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    number(11) + number(12)
}

fn main() -> std::io::Result<()> {
    write_text("text")?;
    let mut text = Vec::new();
    fs::File::open("text")?.read_to_end(&mut text)?;
    let workers = thread::available_parallelism()?.get();
    let (start, ticks) = (Instant::now(), cpu_ticks());
    let end = start + Duration::from_millis(1900);
    let sum = Mutex::new(vec![0; 27 * 27]);
    let chunks: u32 = thread::scope(|scope| {
        let spawn = |number| {
            let (text, sum) = (&text, &sum);
            scope.spawn(move || work(text, number, workers, end, sum))
        };
        let threads: Vec<_> = (0..workers).map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let cpus = (cpu_ticks() - ticks) as f64 / 100.0 / start.elapsed().as_secs_f64();
    fs::write("truth", format!("chunks {chunks}\ncpus_used {cpus:.2}\nof {workers}\n"))
}
