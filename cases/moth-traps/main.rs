//! The queue between the moth traps in the field and the museum: it keeps every count until the museum has it.
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant};

struct Queue {
    file: File,
    kept: u64,
    waited: Duration,
}

impl Queue {
    fn open(path: &str) -> std::io::Result<Queue> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Queue { file, kept: 0, waited: Duration::ZERO })
    }

    #[inline(never)]
    fn keep(&mut self, message: &Count) -> std::io::Result<()> {
        let line = format!("{} {} {}\n", message.trap, message.species, message.moths);
        self.file.write_all(line.as_bytes())?;
        let before = Instant::now();
        self.file.sync_data()?;
        self.waited += before.elapsed();
        self.kept += 1;
        Ok(())
    }
}

struct Count {
    trap: u32,
    species: &'static str,
    moths: u32,
}

/// What one trap has counted in a night: a message for each species.
fn night_of(trap: u32, seed: &mut u32) -> Vec<Count> {
    const SPECIES: [&str; 6] = ["catocala", "noctua", "deilephila", "arctia", "lymantria", "saturnia"];
    SPECIES
        .iter()
        .map(|species| {
            *seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            Count { trap, species, moths: *seed >> 27 }
        })
        .collect()
}

fn main() -> std::io::Result<()> {
    let start = Instant::now();
    let mut queue = Queue::open("counts.queue")?;
    let mut seed = 3;
    let mut trap = 0;
    while start.elapsed() < Duration::from_secs(2) {
        for count in night_of(trap, &mut seed) {
            queue.keep(&count)?;
        }
        trap += 1;
    }
    let share = queue.waited.as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("share {share:.3}\nmessages {}\n", queue.kept))
}
