//! What changed between two looks at the goroutines of a process.

use std::collections::HashMap;

use whyslow_symbols::jvm::Memory;

use crate::change::{Change, Stack, State};
use crate::goroutine::Goroutine;
use crate::runtime::Runtime;

/// Most bytes of a goroutine's stack that are copied.
const MOST_STACK: u64 = 32 << 10;
/// Most changes of one look whose stacks are copied; the stacks of the others come with later
/// looks.
const MOST_STACKS: usize = 512;

/// Follows the goroutines of a process from look to look.
#[derive(Debug)]
pub struct Observer {
    pid: u32,
    runtime: Runtime,
    known: HashMap<u64, Known>,
    looks: u64,
}

#[derive(Debug)]
struct Known {
    goroutine: Goroutine,
    /// The look that saw it last.
    look: u64,
}

/// What a look found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// What changed, the ends first.
    pub changes: Vec<Change>,
    /// How many goroutines were seen.
    pub seen: usize,
}

impl Observer {
    /// Returns an observer that has seen nothing.
    pub fn new(pid: u32, runtime: Runtime) -> Self {
        Self {
            pid,
            runtime,
            known: HashMap::new(),
            looks: 0,
        }
    }

    /// Looks at the goroutines; `None`: the process is gone. `time_ns` is when the look began.
    pub fn look(&mut self, memory: &dyn Memory, time_ns: u64) -> Option<Look> {
        let listed = self.runtime.read(memory)?;
        self.looks += 1;
        let seen = listed.all.len();
        let mut news = Vec::new();
        for (address, goroutine) in listed.all {
            match self.known.get_mut(&goroutine.id) {
                Some(known) if known.goroutine.is_same_stop(&goroutine) => known.look = self.looks,
                _ => news.push((address, goroutine)),
            }
        }
        let mut changes = Vec::new();
        for (address, goroutine) in news {
            if changes.len() >= MOST_STACKS {
                // What it did before, it did until this look.
                if let Some(known) = self.known.get_mut(&goroutine.id) {
                    known.look = self.looks;
                }
                continue;
            }
            let stack = self.stack(memory, address, &goroutine);
            let has_gone_on = stack.is_none() && goroutine.state == State::Waiting;
            changes.push(Change {
                pid: self.pid,
                id: goroutine.id,
                time_ns,
                // It ran while its stack was read.
                state: Some(if has_gone_on {
                    State::Running
                } else {
                    goroutine.state
                }),
                stands_for: listed.stands_for,
                stack,
            });
            let goroutine = match has_gone_on {
                true => Goroutine {
                    state: State::Running,
                    ..goroutine
                },
                false => goroutine,
            };
            let look = self.looks;
            self.known.insert(goroutine.id, Known { goroutine, look });
        }
        let ended = self.ended(time_ns);
        changes.splice(0..0, ended);
        Some(Look { changes, seen })
    }

    /// Forgets those that the last look did not see.
    fn ended(&mut self, time_ns: u64) -> Vec<Change> {
        let (pid, looks) = (self.pid, self.looks);
        let gone = self.known.extract_if(|_, known| known.look != looks);
        let ended = gone.map(|(id, _)| Change {
            pid,
            id,
            time_ns,
            state: None,
            stands_for: 0,
            stack: None,
        });
        let mut ended: Vec<_> = ended.collect();
        ended.sort_unstable_by_key(|change| change.id);
        ended
    }

    /// Copies the stack of a goroutine that waits; `None` also if it continued meanwhile.
    fn stack(&self, memory: &dyn Memory, address: u64, of: &Goroutine) -> Option<Stack> {
        if of.state != State::Waiting {
            return None;
        }
        let size = of.stack_end.checked_sub(of.sp)?.min(MOST_STACK);
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        memory.read(of.sp, &mut bytes)?;
        let after = self.runtime.again(memory, address)?;
        after.is_same_stop(of).then_some(Stack {
            pc: of.pc,
            sp: of.sp,
            bp: of.bp,
            bytes,
        })
    }
}
