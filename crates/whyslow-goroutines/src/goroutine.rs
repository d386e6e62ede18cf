//! One goroutine, as the bytes of its structure say.

use crate::change::State;
use crate::layouts::Layout;

/// The collector is looking at its stack; the state is what is left.
const SCANNED: u32 = 0x1000;

/// What the structure of a goroutine says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Goroutine {
    pub(crate) id: u64,
    pub(crate) state: State,
    pub(crate) pc: u64,
    pub(crate) sp: u64,
    pub(crate) bp: u64,
    /// Where its stack begins, which grows downwards.
    pub(crate) stack_end: u64,
    /// How often it ceased to run; the lowest byte of it.
    pub(crate) stops: u8,
}

/// What the bytes at the address of a goroutine say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parsed {
    Alive(Goroutine),
    /// One that ended or has not begun; the structure is kept for another one.
    Dead,
    /// No goroutine, or one that is being changed.
    Odd,
}

impl Goroutine {
    /// Reads the structure at `address`.
    pub(crate) fn parse(layout: &Layout, address: u64, bytes: &[u8]) -> Parsed {
        Self::checked(layout, address, bytes).unwrap_or(Parsed::Odd)
    }

    fn checked(layout: &Layout, address: u64, bytes: &[u8]) -> Option<Parsed> {
        let word = |at: usize| {
            let bytes = bytes.get(at..)?.first_chunk()?;
            Some(u64::from_le_bytes(*bytes))
        };
        let status = bytes.get(layout.status..)?.first_chunk()?;
        let state = match u32::from_le_bytes(*status) & !SCANNED {
            // Made, ended, kept for a thread of C code.
            0 | 6 | 11 => return Some(Parsed::Dead),
            // 9: the collector stopped it.
            1 | 9 => State::Ready,
            2 => State::Running,
            3 => State::SystemCall,
            // 10: nothing can end its wait.
            4 | 10 => State::Waiting,
            _ => return None,
        };
        let found = Self {
            id: word(layout.id)?,
            state,
            pc: word(layout.pc)?,
            sp: word(layout.sp)?,
            bp: word(layout.bp)?,
            stack_end: word(layout.stack + 8)?,
            stops: *bytes.get(layout.stops)?,
        };
        let stack = word(layout.stack)?..found.stack_end;
        let is_whole = word(layout.itself)? == address && found.id != 0 && !stack.is_empty();
        // While it runs, the place where it would continue is outdated.
        let is_placed = state == State::Running || stack.contains(&found.sp);
        (is_whole && is_placed).then_some(Parsed::Alive(found))
    }

    /// Whether a later reading is of the same wait: it did not run in between.
    pub(crate) fn is_same_stop(&self, later: &Self) -> bool {
        match self.state {
            // It may have stopped and continued, which is no change.
            State::Running => later.id == self.id && later.state == self.state,
            _ => later == self,
        }
    }
}
