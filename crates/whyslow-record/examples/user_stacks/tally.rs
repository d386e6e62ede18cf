//! What became of the stacks of one way of recording.

use std::collections::BTreeMap;
use std::fmt;

use whyslow_symbols::unwind::{StackEnd, Walk};

/// Counts and depths.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    depths: Vec<usize>,
    roots: usize,
    guessed: usize,
    bytes: usize,
    why: BTreeMap<String, usize>,
}

impl Tally {
    pub(crate) fn add(&mut self, depth: usize, walk: Walk, bytes: usize) {
        self.bytes += bytes;
        self.add_depth(depth, walk.end == StackEnd::Root);
        self.guessed += usize::from(walk.frame_pointer_frames > 0);
        if let StackEnd::Truncated(why) = walk.end {
            *self.why.entry(format!("{why:?}")).or_default() += 1;
        }
    }

    pub(crate) fn add_depth(&mut self, depth: usize, root: bool) {
        self.depths.push(depth);
        self.roots += usize::from(root);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depths = self.depths.clone();
        depths.sort_unstable();
        let at = |share: usize| depths.get(depths.len() * share / 100).copied().unwrap_or(0);
        let percent = 100.0 * self.roots as f64 / (depths.len().max(1) as f64);
        let kilobytes = self.bytes as f64 / 1024.0 / (depths.len().max(1) as f64);
        write!(
            f,
            "n={} root={percent:.2}% p50={} p95={} max={} guessed={} mean_kb={kilobytes:.1}",
            depths.len(),
            at(50),
            at(95),
            depths.last().copied().unwrap_or(0),
            self.guessed
        )?;
        for (why, count) in &self.why {
            write!(f, " {why}={count}")?;
        }
        Ok(())
    }
}
