//! What `prev_state` of a switch says beyond the states of the kernel.

/// `prev_state` of a switch from a thread that the kernel hides: nobody knows why it left the CPU.
pub const UNKNOWN_STATE: u64 = 1 << 30;
/// Bit in `prev_state` of a switch: the thread could run on, but its group of processes has used up its
/// quota of CPU time.
pub const THROTTLED_STATE: u64 = 1 << 29;
/// Bit in `prev_state` of a switch: the thread is of the class that runs only when nobody else wants to
/// (`SCHED_IDLE`).
pub const IDLE_CLASS_STATE: u64 = 1 << 28;
