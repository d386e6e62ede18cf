//! A function: its name, its file, its line.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::budget::Budget;
use super::heap::{Heap, Kinds};
use super::scope::Scope;
use super::script::Script;
use crate::process_memory::number;

/// Scripts that are remembered of one process, and bytes of their names and lines.
const MOST_SCRIPTS: usize = 16 << 10;
pub(super) const MOST_BYTES: usize = 16 << 20;
/// The interval of the budget for reading sources.
const INTERVAL_NS: u64 = 1_000_000_000;
/// The distance of a name that is not known.
const NO_DISTANCE: u32 = 0xffff;
/// Functions without a name, and the code of a file outside all functions.
const ANONYMOUS: &str = "(anonymous)";
const TOP_LEVEL: &str = "(top level)";

/// A function of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, or a substitute.
    pub name: String,
    /// Its file as the program names it; `node:` and a name for code that ships with Node.js; empty: unknown.
    pub file: Arc<str>,
    /// The line where it begins.
    pub line: Option<u32>,
    /// The line where it ends.
    pub last_line: Option<u32>,
}

/// The scripts of a process.
#[derive(Debug)]
pub(super) struct Scripts {
    all: HashMap<u64, Arc<Script>>,
    /// Those of `all`, the one that was read first in front.
    order: VecDeque<u64>,
    bytes: usize,
    most_bytes: usize,
    /// Bytes of sources that may be read.
    reads: Budget,
    /// Whether the source of the last one was too large to be read now.
    is_put_off: bool,
}

impl Scripts {
    /// Returns a state without scripts that keeps at most `most_bytes`, and reads at most `most_reads`
    /// bytes of sources in each interval.
    pub(super) fn new(most_bytes: usize, most_reads: u64) -> Self {
        Self {
            all: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
            most_bytes,
            reads: Budget::new(most_reads, INTERVAL_NS),
            is_put_off: false,
        }
    }

    /// Sets the time.
    pub(super) fn is_now(&mut self, now_ns: u64) {
        self.reads.is_now(now_ns);
    }

    /// Returns whether the last script that was asked for will have its lines only later.
    pub(super) fn is_put_off(&self) -> bool {
        self.is_put_off
    }

    pub(super) fn get(
        &mut self,
        heap: Heap<'_>,
        kinds: &mut Kinds,
        object: u64,
    ) -> Option<Arc<Script>> {
        self.is_put_off = false;
        if let Some(known) = self.all.get(&object)
            && (known.put_off == 0 || !self.reads.has(known.put_off))
            && Script::words(heap, object) == Some(known.words)
        {
            self.is_put_off = known.put_off > 0;
            return Some(Arc::clone(known));
        }
        let script = Arc::new(Script::read(heap, kinds, object, &mut self.reads)?);
        self.is_put_off = script.put_off > 0;
        self.keep(object, &script);
        Some(script)
    }

    /// Remembers a script, in place of those that were read first if there is no room.
    fn keep(&mut self, object: u64, script: &Arc<Script>) {
        if let Some(before) = self.all.insert(object, Arc::clone(script)) {
            self.bytes -= before.bytes();
        } else {
            self.order.push_back(object);
        }
        self.bytes += script.bytes();
        while (self.all.len() > MOST_SCRIPTS || self.bytes > self.most_bytes)
            && let Some(first) = self.order.pop_front()
        {
            let gone = self.all.remove(&first);
            self.bytes -= gone.map_or(0, |script| script.bytes());
        }
    }
}

impl Function {
    /// Reads the function whose shared part is `shared`; `None`: it does not belong to a script.
    pub(super) fn read(
        heap: Heap<'_>,
        kinds: &mut Kinds,
        scripts: &mut Scripts,
        shared: u64,
    ) -> Option<Self> {
        let layout = heap.layout;
        if !heap.is(kinds, shared, layout.shared_kind) {
            return None;
        }
        let script = heap.word(shared, layout.shared_script)?;
        let script = scripts.get(heap, kinds, script)?;
        let scope = heap.word(shared, layout.shared_name)?;
        let scope = Scope::read(heap, kinds, scope)?;
        let distance = (shared - 1).wrapping_add(layout.shared_token);
        let distance = u32::try_from(number(heap.memory, distance, 2)?).ok()?;
        let distance = if distance == NO_DISTANCE { 0 } else { distance };
        let name = match &*scope.name {
            "" if script.is_whole(scope.start, scope.end) => TOP_LEVEL,
            "" => ANONYMOUS,
            name => name,
        };
        Some(Self {
            name: name.to_owned(),
            file: Arc::clone(&script.file),
            line: script.line(scope.start.saturating_sub(distance)),
            last_line: script.line(scope.end),
        })
    }

    /// Returns the line of a letter of its script; `None`: it is outside the function.
    pub(super) fn line_of(
        &self,
        heap: Heap<'_>,
        kinds: &mut Kinds,
        scripts: &mut Scripts,
        (shared, letter): (u64, u32),
    ) -> Option<u32> {
        let script = heap.word(shared, heap.layout.shared_script)?;
        let line = scripts.get(heap, kinds, script)?.line(letter)?;
        (self.line? <= line && line <= self.last_line?).then_some(line)
    }
}
