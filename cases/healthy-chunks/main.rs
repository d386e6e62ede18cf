// Counts the words of texts: the main thread prepares all chunks, two workers take one after the other.
use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn make_chunk(number: usize) -> String {
    let mut seed = number as u32 * 7 + 1;
    let mut text = String::new();
    while text.len() < 200_000 {
        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
        text += ["river", "stone", "cloud", "garden", "window", "letter"][(seed >> 16) as usize % 6];
        text += ["s ", " ", "es ", "ing "][(seed >> 24) as usize % 4];
    }
    text
}

fn count_words<'a>(chunk: &'a str, counts: &mut HashMap<&'a str, u64>) {
    for word in chunk.split_ascii_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
}

fn work(queue: &Mutex<mpsc::Receiver<Arc<String>>>) -> (u64, Duration) {
    let (mut words, mut waited) = (0, Duration::ZERO);
    loop {
        let before = Instant::now();
        let next = queue.lock().unwrap().recv();
        waited += before.elapsed();
        let Ok(chunk) = next else { return (words, waited) };
        let mut counts = HashMap::new();
        for _ in 0..6 {
            count_words(&chunk, &mut counts);
        }
        words += counts.values().sum::<u64>();
    }
}

fn main() {
    let start = Instant::now();
    let chunks: Vec<_> = (0..8).map(|number| Arc::new(make_chunk(number))).collect();
    let (sender, receiver) = mpsc::sync_channel(32);
    let queue = Arc::new(Mutex::new(receiver));
    let workers: Vec<_> = (0..2)
        .map(|n| {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name(format!("counter-{n}"));
            thread.spawn(move || work(&queue)).unwrap()
        })
        .collect();
    let mut sent = 0;
    while start.elapsed() < Duration::from_millis(1800) {
        sender.send(Arc::clone(&chunks[sent % 8])).unwrap();
        sent += 1;
    }
    drop(sender);
    let done: Vec<_> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
    let waited: f64 = done.iter().map(|worker| worker.1.as_secs_f64()).sum();
    let words: u64 = done.iter().map(|worker| worker.0).sum();
    let wall = start.elapsed().as_secs_f64();
    fs::write("truth", format!("waiting_of_wall {:.4}\nwords {words}\nchunks {sent}\n", waited / 2.0 / wall)).unwrap();
}
