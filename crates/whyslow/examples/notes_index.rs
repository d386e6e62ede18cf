//! A real slow program to try Whyslow on: it indexes a folder of notes, with four workers, and
//! takes far longer than the work is worth.
//!
//! ```text
//! whyslow run -- target/release/examples/notes_index [NOTES]
//! ```
//!
//! Can you tell why before you look? The workers share one index behind one lock, which is common
//! and fine. What is held while the lock is held is not.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const WORKERS: usize = 4;

/// The shared index: which notes hold which word, and a journal of what was indexed.
struct Index {
    inner: Mutex<Inner>,
}

struct Inner {
    notes_by_word: HashMap<String, Vec<usize>>,
    journal: Journal,
}

impl Index {
    fn create(journal: &Path) -> io::Result<Self> {
        let inner = Inner {
            notes_by_word: HashMap::new(),
            journal: Journal(File::create(journal)?),
        };
        Ok(Self {
            inner: Mutex::new(inner),
        })
    }

    /// Adds a note. The journal entry is made durable before the next note is let in.
    #[inline(never)]
    fn add_note(&self, number: usize, words: Vec<String>) -> io::Result<()> {
        let mut inner = self.inner.lock().map_err(|_| io::ErrorKind::Other)?;
        for word in words {
            inner.notes_by_word.entry(word).or_default().push(number);
        }
        inner.journal.append(number)
    }
}

struct Journal(File);

impl Journal {
    #[inline(never)]
    fn append(&mut self, number: usize) -> io::Result<()> {
        writeln!(self.0, "indexed note {number}")?;
        self.0.sync_all()
    }
}

/// Splits a text into lower-case words.
#[inline(never)]
fn tokenize(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|w| w.len() > 2)
        .map(str::to_lowercase)
        .collect()
}

/// Takes notes off the shared list until none is left.
#[inline(never)]
fn work(index: &Index, notes: &[PathBuf], next: &AtomicUsize) -> io::Result<()> {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(path) = notes.get(number) else {
            return Ok(());
        };
        index.add_note(number, tokenize(&fs::read_to_string(path)?))?;
    }
}

/// Writes notes of made-up words, the same ones every time.
fn write_notes(dir: &Path, count: usize) -> io::Result<Vec<PathBuf>> {
    let mut seed = 42_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed >> 33
    };
    let note = |number: usize| {
        let words: Vec<_> = (0..400)
            .map(|_| format!("word{}", random() % 5000))
            .collect();
        let path = dir.join(format!("note-{number:04}.txt"));
        fs::write(&path, words.join(" ")).map(|()| path)
    };
    (0..count).map(note).collect()
}

fn run(dir: &Path, count: usize) -> io::Result<usize> {
    fs::create_dir_all(dir)?;
    let notes = write_notes(dir, count)?;
    let index = Index::create(&dir.join("journal"))?;
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let worker = |n: usize| {
            let thread = thread::Builder::new().name(format!("worker-{n}"));
            thread.spawn_scoped(scope, || work(&index, &notes, &next))
        };
        let workers: Vec<_> = (0..WORKERS).map(worker).collect::<Result<_, _>>()?;
        for worker in workers {
            worker.join().map_err(|_| io::ErrorKind::Other)??;
        }
        io::Result::Ok(())
    })?;
    fs::remove_dir_all(dir)?;
    let inner = index.inner.into_inner().map_err(|_| io::ErrorKind::Other)?;
    Ok(inner.notes_by_word.len())
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program talks to its user"
)]
fn main() -> ExitCode {
    let count = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(1500);
    let dir = PathBuf::from(format!("notes-index-{}", std::process::id()));
    match run(&dir, count) {
        Ok(words) => {
            println!("{count} notes, {words} different words");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!(
                "notes_index: cannot index the notes in {}: {error}",
                dir.display()
            );
            ExitCode::FAILURE
        }
    }
}
