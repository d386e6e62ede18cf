//! Counts gulls: keeps all observations in memory, and runs a small hook at a low priority for each colony.
use std::collections::HashMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn nice(inc: i32) -> i32;
}

struct Observation {
    notes: Box<[u8]>,
    birds: u32,
}

fn read_observations() -> HashMap<u32, Vec<Observation>> {
    let mut colonies: HashMap<u32, Vec<Observation>> = HashMap::new();
    for n in 0..90_000u32 {
        let notes = vec![(n % 251) as u8; 2000].into_boxed_slice();
        colonies.entry(n % 300).or_default().push(Observation { notes, birds: n % 90 });
    }
    colonies
}

fn run_hook(colony: u32, birds: u32) -> io::Result<bool> {
    let hook = std::env::var("CASE_BIN").unwrap_or_else(|_| ".".into()) + "/hook";
    let mut command = Command::new(hook);
    command.arg(colony.to_string()).arg(birds.to_string());
    unsafe {
        command.pre_exec(|| {
            nice(5);
            Ok(())
        });
    }
    Ok(command.status()?.success())
}

fn main() -> io::Result<()> {
    let start = Instant::now();
    let colonies = read_observations();
    let (mut hooks, mut birds, mut letters) = (0, 0u64, 0usize);
    'all: loop {
        for (colony, observations) in &colonies {
            let sum: u32 = observations.iter().map(|o| o.birds).sum();
            birds += u64::from(sum);
            letters += observations.iter().map(|o| o.notes.len()).sum::<usize>();
            if run_hook(*colony, sum)? {
                hooks += 1;
            }
            if start.elapsed() > Duration::from_secs(2) {
                break 'all;
            }
        }
    }
    println!("{hooks} hooks, {birds} birds, {letters} letters");
    Ok(())
}
