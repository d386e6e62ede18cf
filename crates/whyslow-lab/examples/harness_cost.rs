//! What the measuring loop costs by itself, and next to a bare loop of the same system calls.
//!
//! `harness_cost DIR ROUNDS` prints nanoseconds per operation: the empty operation, then creates in
//! DIR (which must be on the file system to be measured), bare and measured in turn. The bare loop is
//! `openat` and `close` with a counted name and no clock, as a C program would do it.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement prints, and stops where it cannot go on"
)]

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use whyslow_lab::operation::{Limits, Operation, measure};
use whyslow_lab::place::{Ground, Name, Place};

struct Empty;

impl Operation for Empty {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        std::hint::black_box(at);
        Ok(0)
    }
}

struct Create<'a>(&'a Place, Name);

impl Operation for Create<'_> {
    fn run(&mut self, at: u64) -> Result<u32, Errno> {
        self.1.set(at);
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        drop(openat(
            self.0.fd(),
            self.1.as_c_str(),
            flags,
            Mode::from_raw_mode(0o644),
        )?);
        Ok(0)
    }
}

const CREATES: u64 = 20_000;

fn measured(operation: &mut dyn Operation, count: u64) -> u128 {
    let limits = Limits {
        count,
        budget: Duration::from_secs(600),
    };
    let mut log = Vec::new();
    measure(operation, limits, &AtomicBool::new(false), &mut log);
    let first = log.first().unwrap().start_ns;
    let last = log.last().unwrap();
    u128::from((last.start_ns + last.duration_ns - first) / count)
}

fn bare(operation: &mut dyn Operation, count: u64) -> u128 {
    let start = Instant::now();
    for at in 0..count {
        operation.run(at).unwrap();
    }
    start.elapsed().as_nanos() / u128::from(count)
}

fn least_and_median(mut values: Vec<u128>) -> String {
    values.sort_unstable();
    format!("least {}, median {}", values[0], values[values.len() / 2])
}

fn main() {
    let mut words = std::env::args_os().skip(1);
    let dir = PathBuf::from(words.next().unwrap_or_else(|| "harness-cost".into()));
    let rounds = words
        .next()
        .and_then(|word| word.to_str()?.parse().ok())
        .unwrap_or(15);
    let empty = (0..rounds)
        .map(|_| measured(&mut Empty, 1_000_000))
        .collect();
    println!("empty operation, ns: {}", least_and_median(empty));
    let ground = Ground::enter(&dir, true).unwrap();
    let (mut bares, mut measureds) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        for (values, how) in [
            (&mut bares, bare as fn(&mut dyn Operation, u64) -> u128),
            (&mut measureds, measured),
        ] {
            let place = Place::make(&ground).unwrap();
            values.push(how(&mut Create(&place, Name::new(b'w', 0)), CREATES));
            place.remove().unwrap();
        }
    }
    println!("create, bare loop, ns: {}", least_and_median(bares));
    println!("create, measured, ns: {}", least_and_median(measureds));
}
