//! What answers say about goroutines.

/// What a goroutine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for something.
    Waiting,
    /// It could run, but no thread runs it yet.
    Ready,
    /// A thread runs it.
    Running,
    /// It is in a system call, or in C code.
    SystemCall,
}

/// Where a goroutine continues when it runs again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// Address of the next instruction.
    pub pc: u64,
    /// Stack pointer.
    pub sp: u64,
    /// Frame pointer.
    pub bp: u64,
    /// The memory from the stack pointer on.
    pub bytes: Vec<u8>,
}

/// A goroutine does something else than before, as a look found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its process.
    pub pid: u32,
    /// Its number in the process.
    pub id: u64,
    /// When the look was, in nanoseconds of the system's monotonic clock.
    pub time_ns: u64,
    /// What it does from then on; `None`: it ended.
    pub state: Option<State>,
    /// How many goroutines it represents, if there are too many to look at each.
    pub stands_for: u32,
    /// Where it waits; `None` where that is not known.
    pub stack: Option<Stack>,
}
