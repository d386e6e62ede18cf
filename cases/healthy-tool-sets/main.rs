// Chooses versions of tools that fit together: a search with memory, over bit sets, for many requests.
use std::time::{Duration, Instant};

const TOOLS: usize = 40;
const VERSIONS: usize = 60;

struct Index {
    /// For each tool and version: which versions of other tools it accepts.
    needs: Vec<Vec<Vec<(usize, u64)>>>,
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn make_index(seed: u64) -> Index {
    let mut state = seed * 2 + 88172645463325252;
    let needs = (0..TOOLS)
        .map(|tool| {
            (0..VERSIONS)
                .map(|_| {
                    (0..3)
                        .filter_map(|_| {
                            let other = tool + 1 + next(&mut state) as usize % 6;
                            (other < TOOLS).then(|| (other, next(&mut state) | next(&mut state)))
                        })
                        .collect()
                })
                .collect()
        })
        .collect();
    Index { needs }
}

fn solve(index: &Index, tool: usize, allowed: &mut [u64; TOOLS], steps: &mut u64) -> bool {
    if tool == TOOLS {
        return true;
    }
    let mut left = allowed[tool] & ((1 << VERSIONS) - 1);
    while left != 0 && *steps < 200_000 {
        *steps += 1;
        let version = 63 - left.leading_zeros() as usize;
        left &= !(1 << version);
        let before = *allowed;
        let needs = &index.needs[tool][version];
        needs.iter().for_each(|&(other, set)| allowed[other] &= set);
        if needs.iter().all(|&(other, _)| allowed[other] != 0) && solve(index, tool + 1, allowed, steps) {
            return true;
        }
        *allowed = before;
    }
    false
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let indices: Vec<Index> = (1..40).map(make_index).collect();
    let (mut solved, mut asked, mut steps) = (0u64, 0u64, 0u64);
    while Instant::now() < end {
        for index in &indices {
            for request in 0..50u64 {
                let mut allowed = [u64::MAX; TOOLS];
                allowed[0] = u64::MAX >> (request % 50 + 4);
                let mut used = 0;
                solved += solve(index, 0, &mut allowed, &mut used) as u64;
                steps += used;
                asked += 1;
            }
        }
    }
    println!("{solved} of {asked} requests, {steps} steps");
}
