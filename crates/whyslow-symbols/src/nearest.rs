//! Which of many symbols covers each of a few addresses, in one pass over the symbols.
//!
//! A library has 100,000 symbols and a trace asks for a few hundred addresses of it, so the
//! symbols are never sorted: each is looked up among the sorted *addresses*.
//!
//! ```text
//! symbols     [A........)   [B....)  C           (C has no size)
//! addresses       a0    a1      a2      a3   a4
//! slots           A             B       C        first address at or behind the symbol's start
//! predecessor     A     A       B       C    C   last filled slot at or before the address
//! ```
//!
//! Rules, close to those of `perf` (`symbols__fixup_end`, `choose_best_symbol`):
//! * A symbol without size reaches to the next symbol (here also: not beyond its section).
//! * Of several symbols at one address the best is: with size, not weak, global, fewest leading
//!   underscores, longest name, first in the table.
//! * An address after the end of its predecessor may still lie in a larger symbol that began
//!   earlier; the innermost one is taken. (Whether `perf` finds it depends on the shape of its tree.)

use std::cmp::Reverse;

/// Symbols remembered for the case of nesting; beyond it, nested symbols may stay unresolved.
const MAX_COVERING: usize = 1 << 20;
/// Aliases remembered for comparing their names; beyond it, the first in the table wins.
const MAX_ALIASES: usize = 1 << 20;

/// A symbol as far as choosing among symbols needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// First address.
    pub(crate) start: u64,
    /// Address after the last; equal to `start` when the symbol has no size.
    pub(crate) end: u64,
    /// How far a symbol without size may reach.
    pub(crate) bound: u64,
    /// Higher is better among symbols with the same start; see [`rank`].
    pub(crate) rank: u8,
    /// Where the name is, for the caller to read.
    pub(crate) name: u64,
    /// Which table the symbol and its name are of.
    pub(crate) table: u8,
}

/// Rank of a symbol among aliases, before names are compared.
pub(crate) const fn rank(has_size: bool, weak: bool, global: bool) -> u8 {
    (has_size as u8) << 2 | (!weak as u8) << 1 | global as u8
}

impl Candidate {
    const fn covers_as_predecessor(&self, address: u64) -> bool {
        if self.end == self.start {
            address < self.bound || address == self.start
        } else {
            address < self.end
        }
    }
}

/// Collects the candidates for a sorted list of addresses.
#[derive(Debug)]
pub(crate) struct Nearest<'a> {
    addresses: &'a [u64],
    slots: Vec<Option<Candidate>>,
    aliases: Vec<(u32, Candidate)>,
    covering: Vec<Candidate>,
}

impl<'a> Nearest<'a> {
    /// Starts a search for `addresses`, sorted ascending; repetitions are fine.
    pub(crate) fn new(addresses: &'a [u64]) -> Self {
        debug_assert!(addresses.is_sorted());
        Self {
            addresses,
            slots: vec![None; addresses.len()],
            aliases: Vec::new(),
            covering: Vec::new(),
        }
    }

    /// Shows one symbol, in table order.
    pub(crate) fn offer(&mut self, symbol: Candidate) {
        let index = self.addresses.partition_point(|&a| a < symbol.start);
        let (Some(&address), Some(slot)) = (self.addresses.get(index), self.slots.get_mut(index))
        else {
            return;
        };
        if address < symbol.end && self.covering.len() < MAX_COVERING {
            self.covering.push(symbol);
        }
        match slot {
            Some(best) if (best.start, best.rank) > (symbol.start, symbol.rank) => {}
            Some(best) if (best.start, best.rank) == (symbol.start, symbol.rank) => {
                if self.aliases.len() < MAX_ALIASES {
                    self.aliases.push((index as u32, symbol));
                }
            }
            _ => *slot = Some(symbol),
        }
    }

    /// The symbol of each address. `prefer(a, b)` compares the names of two aliases and says
    /// whether `b`, which comes later in its table, is the better one.
    pub(crate) fn finish(
        mut self,
        mut prefer: impl FnMut(&Candidate, &Candidate) -> bool,
    ) -> Vec<Option<Candidate>> {
        for (index, alias) in &self.aliases {
            if let Some(Some(best)) = self.slots.get_mut(*index as usize)
                && (best.start, best.rank) == (alias.start, alias.rank)
                && prefer(best, alias)
            {
                *best = *alias;
            }
        }
        let mut predecessor = None;
        let mut left_over = Vec::new();
        for (index, (slot, &address)) in self.slots.iter_mut().zip(self.addresses).enumerate() {
            predecessor = slot.or(predecessor);
            *slot = predecessor.filter(|symbol| symbol.covers_as_predecessor(address));
            if slot.is_none() && predecessor.is_some() {
                left_over.push(index);
            }
        }
        if !left_over.is_empty() {
            self.fill_from_enclosing(&left_over);
        }
        self.slots
    }

    /// Gives each left-over address the innermost symbol that encloses it: symbols are laid on
    /// from the latest start to the earliest, and each address keeps the first it gets.
    fn fill_from_enclosing(&mut self, left_over: &[usize]) {
        let places: Vec<u64> = left_over
            .iter()
            .filter_map(|&i| self.addresses.get(i).copied())
            .collect();
        self.covering
            .sort_by_key(|s| (Reverse(s.start), Reverse(s.rank)));
        // next[i]: the first place at or after i that is still free.
        let mut next: Vec<usize> = (0..=places.len()).collect();
        for symbol in &self.covering {
            let end = places.partition_point(|&a| a < symbol.end);
            let mut at = first_free(&mut next, places.partition_point(|&a| a < symbol.start));
            while at < end {
                if let Some(slot) = left_over.get(at).and_then(|&i| self.slots.get_mut(i)) {
                    *slot = Some(*symbol);
                }
                if let Some(entry) = next.get_mut(at) {
                    *entry = at + 1;
                }
                at = first_free(&mut next, at + 1);
            }
        }
    }
}

/// Follows `next` to a free place, halving the path on the way.
pub(crate) fn first_free(next: &mut [usize], mut at: usize) -> usize {
    while let Some(&to) = next.get(at)
        && to != at
    {
        let further = next.get(to).copied().unwrap_or(to);
        if let Some(entry) = next.get_mut(at) {
            *entry = further;
        }
        at = further;
    }
    at
}

#[cfg(test)]
mod tests;
