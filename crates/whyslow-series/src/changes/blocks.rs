//! Two series as blocks of neighboring sizes, and the figures of both with their intervals.

use super::{Changed, Figure};
use crate::kept::KeptSeries;
use crate::summary::real;

/// Blocks of neighboring sizes, at most.
const BLOCKS: usize = 20;

/// With fewer blocks, no interval is given.
const LEAST_BLOCKS: usize = 5;

/// How often blocks and passes are drawn.
const DRAWS: usize = 400;

/// Bins of durations: steps of about one in a hundred and fifty, from 1 ns to a day.
const BINS: usize = 4_800;

/// Bins for a factor of e.
const FINE: f64 = 150.0;

/// The durations of a block of one pass.
#[derive(Debug, Clone, Default)]
struct Block {
    sum: f64,
    count: f64,
    median: f64,
    /// How many there are of each bin, the bins in their order.
    bins: Vec<(usize, f64)>,
}

impl Block {
    fn of(mut durations: Vec<u64>) -> Self {
        durations.sort_unstable();
        let mut bins: Vec<(usize, f64)> = Vec::new();
        for ns in &durations {
            let bin = bin(*ns);
            match bins.last_mut() {
                Some((last, count)) if *last == bin => *count += 1.0,
                _ => bins.push((bin, 1.0)),
            }
        }
        Self {
            sum: durations.iter().map(|ns| real(*ns)).sum(),
            count: whyslow_law::count(durations.len()),
            median: durations
                .get(durations.len().saturating_sub(1) / 2)
                .map_or(0.0, |ns| real((*ns).max(1))),
            bins,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a logarithm of a u64 times 150 is below 10,000 and not below 0"
)]
fn bin(ns: u64) -> usize {
    ((real(ns.max(1)).ln() * FINE) as usize).min(BINS - 1)
}

/// Two series, block by block.
pub(super) struct Pair {
    /// Of each series, of each pass, its blocks.
    sides: [Vec<Vec<Block>>; 2],
    operations: [usize; 2],
    blocks: usize,
}

impl Pair {
    /// Returns `series` up to the size `largest`.
    pub(super) fn new(series: [&KeptSeries; 2], largest: f64) -> Self {
        let within = |pass: &Vec<(f64, u64)>| {
            pass.iter()
                .copied()
                .filter(|(n, _)| *n <= largest)
                .collect::<Vec<_>>()
        };
        let passes = series.map(|one| {
            let passes = one
                .passes
                .iter()
                .map(within)
                .filter(|pass| !pass.is_empty());
            passes.collect::<Vec<_>>()
        });
        let shortest = passes.iter().flatten().map(Vec::len).min().unwrap_or(0);
        let blocks = BLOCKS.min(shortest);
        let operations = passes
            .each_ref()
            .map(|passes| passes.iter().map(Vec::len).sum());
        let edges = edges(
            passes.iter().flatten().min_by_key(|pass| pass.len()),
            blocks,
        );
        let sides = passes.map(|passes| {
            let split = |pass: Vec<(f64, u64)>| split(&pass, &edges);
            passes.into_iter().map(split).collect()
        });
        Self {
            sides,
            operations,
            blocks,
        }
    }

    pub(super) fn operations(&self) -> [usize; 2] {
        self.operations
    }

    /// Returns every figure of both, and how sure its ratio is.
    pub(super) fn figures(&self) -> Vec<Changed> {
        if self.sides.iter().any(Vec::is_empty) || self.blocks == 0 {
            return Vec::new();
        }
        let all: Vec<usize> = (0..self.blocks).collect();
        let whole = self
            .sides
            .each_ref()
            .map(|passes| (0..passes.len()).collect::<Vec<_>>());
        let found = Figure::ALL.map(|figure| self.both(figure, &whole, &all));
        let mut drawn: [Vec<f64>; 4] = Default::default();
        let mut random = Random(0x5eed_0000_2545_f491);
        for _ in 0..DRAWS {
            let passes = self
                .sides
                .each_ref()
                .map(|passes| random.draw(passes.len()));
            let blocks = random.draw(self.blocks);
            for (figure, ratios) in Figure::ALL.into_iter().zip(&mut drawn) {
                ratios.push(self.both(figure, &passes, &blocks).ratio);
            }
        }
        let sure = self.blocks >= LEAST_BLOCKS;
        let with = found.into_iter().zip(drawn);
        with.map(|(found, mut ratios)| Changed {
            interval: sure.then(|| interval(&mut ratios)),
            ..found
        })
        .collect()
    }

    /// Returns a figure of the passes and blocks that were drawn, of both series.
    fn both(&self, figure: Figure, passes: &[Vec<usize>; 2], blocks: &[usize]) -> Changed {
        let picked = |side: usize| {
            let (all, passes) = (&self.sides[side], &passes[side]);
            let at = move |pass: &usize, block: usize| {
                all.get(*pass)?.get(block).filter(|one| one.count > 0.0)
            };
            let of = move |block: usize| passes.iter().filter_map(move |pass| at(pass, block));
            (blocks, of)
        };
        let sides = [0, 1].map(|side| {
            let (blocks, of) = picked(side);
            match figure {
                Figure::Typical => typical(
                    blocks
                        .iter()
                        .map(|block| of(*block).map(|one| one.median).collect()),
                ),
                Figure::Mean => mean(blocks.iter().flat_map(|block| of(*block))),
                Figure::P95 => quantile(blocks.iter().flat_map(|block| of(*block)), 0.95),
                Figure::P99 => quantile(blocks.iter().flat_map(|block| of(*block)), 0.99),
            }
        });
        let ratio = match figure {
            // Size by size: a cost that grows has no median that says much.
            Figure::Typical => {
                let at = |side: usize, block: usize| {
                    let (_, of) = picked(side);
                    let medians: Vec<f64> = of(block).map(|one| one.median).collect();
                    (!medians.is_empty()).then(|| middle(medians))
                };
                let ratios = blocks
                    .iter()
                    .filter_map(|block| Some(at(1, *block)? / at(0, *block)?));
                middle(ratios.collect())
            }
            _ => sides[1] / sides[0].max(f64::MIN_POSITIVE),
        };
        Changed {
            figure,
            ns: sides,
            ratio,
            interval: None,
        }
    }
}

/// Returns the sizes at which the blocks of a pass begin, but the first.
fn edges(pass: Option<&Vec<(f64, u64)>>, blocks: usize) -> Vec<f64> {
    let pass = pass.map_or(&[][..], Vec::as_slice);
    let begins = (1..blocks).filter_map(|block| pass.get(block * pass.len() / blocks));
    begins.map(|(n, _)| *n).collect()
}

/// Returns the blocks of a pass.
fn split(pass: &[(f64, u64)], edges: &[f64]) -> Vec<Block> {
    let mut parts: Vec<Vec<u64>> = vec![Vec::new(); edges.len() + 1];
    for (n, ns) in pass {
        let at = edges.partition_point(|edge| edge <= n);
        if let Some(part) = parts.get_mut(at) {
            part.push(*ns);
        }
    }
    parts.into_iter().map(Block::of).collect()
}

fn mean<'a>(blocks: impl Iterator<Item = &'a Block>) -> f64 {
    let (sum, count) = blocks.fold((0.0, 0.0), |(sum, count), one| {
        (sum + one.sum, count + one.count)
    });
    (sum / f64::max(count, 1.0)).max(1.0)
}

fn typical(blocks: impl Iterator<Item = Vec<f64>>) -> f64 {
    middle(blocks.map(middle).collect())
}

/// Returns the median of `values`.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = |at: usize| values.get(at).copied().unwrap_or(1.0);
    f64::midpoint(at(values.len().saturating_sub(1) / 2), at(values.len() / 2))
}

/// Returns what that share of all operations takes at most, as close as the bins are.
fn quantile<'a>(blocks: impl Iterator<Item = &'a Block>, share: f64) -> f64 {
    let mut bins = vec![0.0; BINS];
    let mut total = 0.0;
    for block in blocks {
        total += block.count;
        for (bin, count) in &block.bins {
            if let Some(all) = bins.get_mut(*bin) {
                *all += count;
            }
        }
    }
    let mut left = total * share;
    let found = bins.iter().position(|count| {
        left -= count;
        left <= 0.0
    });
    let bin = whyslow_law::count(found.unwrap_or(BINS - 1));
    ((bin + 0.5) / FINE).exp()
}

/// Returns where 95 of 100 of `ratios` lie.
fn interval(ratios: &mut [f64]) -> (f64, f64) {
    ratios.sort_by(f64::total_cmp);
    let at = |at: usize| ratios.get(at).copied().unwrap_or(1.0);
    let edge = ratios.len() / 40;
    (at(edge), at(ratios.len().saturating_sub(edge + 1)))
}

/// Numbers that look random, always the same ones: the same files always say the same.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        // Xorshift, of which the upper half is good.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let most = u64::try_from(most.max(1)).unwrap_or(1);
        usize::try_from((self.0 >> 32) % most).unwrap_or(0)
    }

    /// Returns `count` numbers below `count`.
    fn draw(&mut self, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.below(count)).collect()
    }
}
