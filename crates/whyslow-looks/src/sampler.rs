//! Looks again and again, and counts.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::look::{Seen, look};

/// How often it looks at most.
const EVERY: Duration = Duration::from_millis(10);

/// Looking takes at most one in this many parts of the time.
const PART: u32 = 50;

/// Different things that are counted.
const MOST_KINDS: usize = 4096;

/// What was seen, and how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// How many looks there were.
    pub count: u64,
    /// What the thread that mattered was doing, and in how many of them.
    pub seen: BTreeMap<Seen, u64>,
}

impl Looks {
    /// Counts a look.
    pub fn add(&mut self, seen: Seen) {
        self.count += 1;
        if self.seen.len() < MOST_KINDS || self.seen.contains_key(&seen) {
            *self.seen.entry(seen).or_default() += 1;
        }
    }

    /// Returns what was seen, most often first.
    #[must_use]
    pub fn most(&self) -> Vec<(&Seen, u64)> {
        let mut all: Vec<_> = self
            .seen
            .iter()
            .map(|(seen, &count)| (seen, count))
            .collect();
        all.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        all
    }

    /// Returns the facts of a recording that say so, at most `most` things.
    #[must_use]
    pub fn facts(&self, most: usize) -> Vec<(String, String)> {
        if self.count == 0 {
            return Vec::new();
        }
        let mut facts = vec![("sampled_looks".to_owned(), self.count.to_string())];
        for (number, (seen, count)) in self.most().into_iter().take(most).enumerate() {
            let call = seen
                .call
                .map_or_else(|| "-".to_owned(), |call| call.to_string());
            let channel = match seen.channel.as_str() {
                "" => "-",
                name => name,
            };
            let (state, process) = (seen.state, seen.process.clone());
            let what = format!("{count} {state} {call} {channel}");
            facts.push((format!("sampled_wait.{number}"), what));
            facts.push((format!("sampled_process.{number}"), process));
            if !seen.object.is_empty() {
                facts.push((format!("sampled_object.{number}"), seen.object.clone()));
            }
        }
        facts
    }
}

/// Looks at a command until it is stopped.
#[derive(Debug)]
pub struct Sampler {
    /// Dropped to stop it.
    stop: Sender<()>,
    thread: JoinHandle<Looks>,
}

impl Sampler {
    /// Looks at the command whose first process is `pid`, from now on.
    ///
    /// # Errors
    /// Those of starting a thread.
    pub fn start(pid: u32) -> io::Result<Self> {
        let (stop, stopped) = channel();
        let thread = Builder::new()
            .name("whyslow-looks".to_owned())
            .spawn(move || sample(pid, &stopped))?;
        Ok(Self { stop, thread })
    }

    /// Stops; returns what was seen.
    #[must_use]
    pub fn finish(self) -> Looks {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

fn sample(pid: u32, stopped: &Receiver<()>) -> Looks {
    let mut looks = Looks::default();
    let mut pause = EVERY;
    while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let began = Instant::now();
        if let Some(seen) = look(pid) {
            looks.add(seen);
        }
        pause = EVERY.max(began.elapsed() * PART);
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_most_comes_first() {
        let seen = |process: &str, object: &str| Seen {
            state: 'S',
            call: Some(0),
            channel: "pipe_read".to_owned(),
            process: process.to_owned(),
            object: object.to_owned(),
        };
        let mut looks = Looks::default();
        looks.add(seen("b", ""));
        looks.add(seen("a b", "pipe:[7]"));
        looks.add(seen("a b", "pipe:[7]"));
        let expected = [
            ("sampled_looks", "3"),
            ("sampled_wait.0", "2 S 0 pipe_read"),
            ("sampled_process.0", "a b"),
            ("sampled_object.0", "pipe:[7]"),
        ];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(looks.facts(1), expected);
        assert!(Looks::default().facts(9).is_empty());
    }

    #[test]
    fn it_looks_until_it_is_told_to_stop() {
        // However busy the machine is, it looks some time.
        let looks = (1..20).map(|tries| {
            let sampler = Sampler::start(std::process::id()).unwrap();
            std::thread::sleep(EVERY * 3 * tries);
            sampler.finish()
        });
        let looks = looks.into_iter().find(|looks| looks.count > 0);
        let looks = looks.expect("it looked");
        assert!(looks.seen.values().sum::<u64>() <= looks.count);
    }
}
