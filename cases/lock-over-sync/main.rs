//! Four workers index notes; each holds the index's lock while the journal reaches the disk.
use std::fs::File;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

struct Index {
    journal: File,
    words: u64,
    notes: u64,
}

#[inline(never)]
fn add_note(index: &Mutex<Index>, note: &str) -> Duration {
    let before = Instant::now();
    let mut index = index.lock().unwrap();
    let waited = before.elapsed();
    index.words += note.split(' ').count() as u64;
    index.notes += 1;
    index.journal.write_all(note.as_bytes()).unwrap();
    index.journal.sync_all().unwrap();
    waited
}

fn main() {
    let journal = File::create("notes.journal").unwrap();
    let index = Mutex::new(Index { journal, words: 0, notes: 0 });
    let start = Instant::now();
    let waited: Duration = std::thread::scope(|scope| {
        let worker = |name: String| {
            let index = &index;
            let work = move || {
                let mut waited = Duration::ZERO;
                while start.elapsed() < Duration::from_secs(2) {
                    waited += add_note(index, "water the plants before they die\n");
                }
                waited
            };
            std::thread::Builder::new().name(name).spawn_scoped(scope, work).unwrap()
        };
        let workers: Vec<_> = (0..4).map(|n| worker(format!("indexer-{n}"))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    let wall = start.elapsed().as_secs_f64();
    let notes = index.lock().unwrap().notes;
    let lock = waited.as_secs_f64() / wall / 4.0;
    std::fs::write("truth", format!("lock_share_per_worker {lock:.3}\nsyncs {notes}\n")).unwrap();
}
