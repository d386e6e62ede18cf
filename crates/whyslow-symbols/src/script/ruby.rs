//! Where Ruby keeps things.

/// Where things are in the structures of an interpreter of Ruby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of a frame.
    pub frame_bytes: u32,
    /// The entries of the table of lines, in the body of an instruction sequence.
    pub entries: u32,
    /// Bytes of an entry.
    pub entry_bytes: u32,
    /// Where a short text begins.
    pub short_text: u32,
    /// The length of a short text is in its word of flags.
    pub length_in_flags: bool,
    /// What is known of the lock and of the collection of garbage.
    pub runtime: Option<Runtime>,
}

/// Where an interpreter keeps what all its threads share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runtime {
    /// A thread's place in the queue for the lock, in the thread; what it waits with follows.
    pub queue: u32,
    /// Which thread runs, in what threads share.
    pub running: u32,
    /// The heap, in the machine.
    pub heap: u32,
    /// What the heap does, in the heap.
    pub heap_flags: u32,
}

/// Of the version whose lock was looked at.
const RUNTIME_OF_3_1: Runtime = Runtime {
    queue: 104,
    running: 0x208,
    heap: 1112,
    heap_flags: 16,
};

impl Layout {
    /// Returns the layout of a version; `None` if it is not known.
    pub fn of(version: (u32, u32)) -> Option<Self> {
        let (frame_bytes, entries, entry_bytes, short_text) = match version {
            (3, 0) => (56, 120, 8, 16),
            (3, 1) => (64, 120, 12, 16),
            (3, 2) => (64, 112, 12, 24),
            (3, 3 | 4) => (56, 112, 12, 24),
            _ => return None,
        };
        Some(Self {
            frame_bytes,
            entries,
            entry_bytes,
            short_text,
            length_in_flags: version < (3, 2),
            runtime: (version == (3, 1)).then_some(RUNTIME_OF_3_1),
        })
    }

    /// Where the number of entries is, in the body of an instruction sequence.
    pub fn entry_count(&self) -> u32 {
        self.entries + 16
    }

    /// Where the index of the entries is, in the body of an instruction sequence.
    pub fn index(&self) -> u32 {
        self.entries + 24
    }
}
