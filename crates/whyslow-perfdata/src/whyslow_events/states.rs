//! What `prev_state` of a switch says in addition to the kernel's states.

/// `prev_state` of a switch from a thread that the kernel hides: why it left the CPU is not known.
pub const UNKNOWN_STATE: u64 = 1 << 30;
/// Bit in `prev_state` of a switch: the thread could continue, but its group of processes has used
/// up its quota of CPU time.
pub const THROTTLED_STATE: u64 = 1 << 29;
/// Bit in `prev_state` of a switch: the thread belongs to the class that runs only when no other
/// thread wants to (`SCHED_IDLE`).
pub const IDLE_CLASS_STATE: u64 = 1 << 28;
