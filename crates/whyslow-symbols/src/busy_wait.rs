//! Loops that do nothing but look at memory until another thread changes it, told by their instructions.
//!
//! A loop whose every turn computes the same from what it reads can end only if somebody else changes what it reads.
//! A counter or a walk along a list makes each turn depend on the one before, so such a loop is none.
//! Only the few instructions are understood that compilers make of such loops; others are taken for work.

mod instruction;

use instruction::{Flow, Instruction, Memory};

/// Bytes before and after an address that are looked at; these loops are much shorter.
pub(crate) const AROUND: usize = 128;

/// The name of what such a loop does.
pub(crate) const NAME: &str = "[busy wait]";

/// Most instructions of such a loop; fewer than a `u32` has bits.
const LONGEST: usize = 24;

/// Most instructions that are looked at for one address.
const MOST_LOOKS: usize = 256;

/// Most turns that are looked at for one address.
const MOST_TURNS: usize = 8;

/// Returns whether the x86-64 instruction at `at` is in a loop that only waits for memory to change.
pub(crate) fn is_at(code: &[u8], at: usize) -> bool {
    let mut search = Search {
        code,
        begin: at,
        turn: Vec::new(),
        looks: 0,
        turns: 0,
    };
    search.goes_on(at)
}

/// The search for a turn of the loop: from an instruction back to it.
struct Search<'a> {
    code: &'a [u8],
    begin: usize,
    turn: Vec<Instruction>,
    looks: usize,
    turns: usize,
}

impl Search<'_> {
    /// Returns whether a turn that goes on at `at` comes back to its begin and waits.
    fn goes_on(&mut self, at: usize) -> bool {
        self.looks += 1;
        let is_enough = self.looks > MOST_LOOKS || self.turns >= MOST_TURNS;
        if self.turn.len() == LONGEST || is_enough {
            return false;
        }
        let Some(found) = self.code.get(at..).and_then(Instruction::decode) else {
            return false;
        };
        let after = at + found.length;
        let to = |distance| after.checked_add_signed(distance);
        let next = match found.flow {
            Flow::Next => [Some(after), None],
            Flow::Jump(distance) => [to(distance), None],
            Flow::Branch(distance) => [Some(after), to(distance)],
        };
        self.turn.push(found);
        let begin = self.begin;
        let mut next = next.into_iter().flatten();
        let waits = next.any(|at| match at == begin {
            true => {
                self.turns += 1;
                waits(&self.turn)
            }
            false => self.goes_on(at),
        });
        self.turn.pop();
        waits
    }
}

/// Returns whether a turn of a loop computes the same each time, and ends by what it reads.
fn waits(turn: &[Instruction]) -> bool {
    let sources = Sources::of(turn);
    let all = || turn.iter().enumerate();
    let stores = |slot: Memory| turn.iter().any(|one| one.stores_to(slot));
    let looks = |one: &Instruction| {
        let memory = one.memory.filter(|_| one.loads);
        memory.filter(|&memory| matches!(memory, Memory::Elsewhere(..)) || !stores(memory))
    };
    let is_carried = |at: usize| sources.all(at) & bit(at) != 0;
    // The reads that a branch depends on. Without one it goes the same way each time, perhaps never this way; and two
    // branches by the same read may exclude each other.
    let reads = |at: usize| {
        let used = sources.all(at) | bit(at);
        let used = all().filter(|&(from, _)| used & bit(from) != 0);
        let reads = used.filter_map(|(_, one)| looks(one));
        // What is read twice counts as read by the first.
        let first = |memory: Memory| turn.iter().position(|one| looks(one) == Some(memory));
        reads
            .filter_map(first)
            .fold(0, |reads, from| reads | bit(from))
    };
    let mut branches = all().filter(|(_, one)| matches!(one.flow, Flow::Branch(_)));
    let by_own_read = branches.try_fold(0, |known, (at, _)| match reads(at) {
        0 => None,
        reads => (known & reads == 0).then_some(known | reads),
    });
    // What is put elsewhere is the same each time, as when a lock is taken.
    let makes = |(at, one): (usize, &Instruction)| {
        let is_elsewhere = matches!(one.memory, Some(Memory::Elsewhere(..)));
        let made = nearest(turn, at, &|other| other.writes & one.writes != 0);
        let from = made.map_or(0, |from| sources.all(from) | bit(from));
        let computed = all().any(|(from_at, other)| from & bit(from_at) != 0 && other.loads);
        one.stores && is_elsewhere && computed
    };
    by_own_read.is_some_and(|reads| reads != 0)
        && !all().any(|(at, _)| is_carried(at))
        && !all().any(makes)
}

const fn bit(at: usize) -> u32 {
    1 << at
}

/// Returns the last instruction before the one at `at`, in this turn or the one before, that `wrote` something.
fn nearest(turn: &[Instruction], at: usize, wrote: &dyn Fn(&Instruction) -> bool) -> Option<usize> {
    let count = turn.len();
    let mut before = (1..=count).map(|back| (at + count - back) % count);
    before.find(|&from| turn.get(from).is_some_and(wrote))
}

/// Which instructions of a turn give each one its values: a bit for each, the nearest that wrote a place in this turn
/// or the one before.
struct Sources(Vec<u32>);

impl Sources {
    fn of(turn: &[Instruction]) -> Self {
        let writer = |at: usize, wrote: &dyn Fn(&Instruction) -> bool| {
            nearest(turn, at, wrote).map_or(0, bit)
        };
        let direct = turn.iter().enumerate().map(|(at, one)| {
            let registers = (0..u32::BITS).map(|number| 1_u32 << number);
            let read = registers.filter(|register| one.reads & register != 0);
            let of_registers = read.fold(0, |sources, register| {
                sources | writer(at, &|other| other.writes & register != 0)
            });
            let slot = one.memory.filter(|_| one.loads);
            let slot = slot.filter(|memory| matches!(memory, Memory::Slot(..)));
            let of_slot = slot.map_or(0, |slot| writer(at, &|other| other.stores_to(slot)));
            of_registers | of_slot
        });
        Self(direct.collect())
    }

    /// The instructions whose results one depends on, through any number of others.
    fn all(&self, at: usize) -> u32 {
        let of = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let (mut known, mut more) = (0, of(at));
        while more != known {
            known = more;
            let through = (0..self.0.len()).filter(|&from| known & bit(from) != 0);
            more = through.fold(known, |more, from| more | of(from));
        }
        known
    }
}

#[cfg(test)]
mod tests;
