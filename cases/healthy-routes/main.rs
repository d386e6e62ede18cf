//! Plans the tours of a courier: shortest ways through a town of 40,000 crossings.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

const SIDE: u32 = 200;

struct Town {
    streets: Vec<Vec<(u32, u32)>>,
}

impl Town {
    fn build() -> Town {
        let mut dice = 5u32;
        let mut streets = vec![Vec::with_capacity(4); (SIDE * SIDE) as usize];
        for y in 0..SIDE {
            for x in 0..SIDE {
                let here = y * SIDE + x;
                for there in [(x + 1 < SIDE).then_some(here + 1), (y + 1 < SIDE).then_some(here + SIDE)].into_iter().flatten() {
                    dice = dice.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                    let length = 20 + (dice >> 16) % 200;
                    streets[here as usize].push((there, length));
                    streets[there as usize].push((here, length));
                }
            }
        }
        Town { streets }
    }
}

/// The lengths of the shortest ways from a crossing to all others.
#[inline(never)]
fn shortest_ways(town: &Town, from: u32, lengths: &mut [u32]) {
    lengths.fill(u32::MAX);
    lengths[from as usize] = 0;
    let mut border = BinaryHeap::from([(Reverse(0), from)]);
    while let Some((Reverse(length), here)) = border.pop() {
        if length > lengths[here as usize] {
            continue;
        }
        for &(there, more) in &town.streets[here as usize] {
            let sum = length + more;
            if sum < lengths[there as usize] {
                lengths[there as usize] = sum;
                border.push((Reverse(sum), there));
            }
        }
    }
}

fn plan_tour(town: &Town, stops: &[u32], lengths: &mut [u32]) -> u64 {
    let (mut here, mut open, mut sum) = (0, stops.to_vec(), 0u64);
    while !open.is_empty() {
        shortest_ways(town, here, lengths);
        let (at, &next) = open.iter().enumerate().min_by_key(|(_, stop)| lengths[**stop as usize]).unwrap();
        sum += u64::from(lengths[next as usize]);
        here = next;
        open.swap_remove(at);
    }
    sum
}

fn main() {
    let town = Town::build();
    let mut lengths = vec![0; town.streets.len()];
    let (start, mut tours, mut metres) = (Instant::now(), 0u32, 0);
    while start.elapsed() < Duration::from_secs(2) {
        let stops: Vec<u32> = (1..9).map(|n| (tours * 31 + n * 7919) % (SIDE * SIDE)).collect();
        metres += plan_tour(&town, &stops, &mut lengths);
        tours += 1;
    }
    std::fs::write("truth", format!("tours {tours}\nmetres {metres}\nms_per_tour {:.1}\n", start.elapsed().as_secs_f64() * 1000.0 / f64::from(tours))).unwrap();
}
