//! How much memory import may use, whatever the trace claims.
//!
//! What grows with a trace is its facts: distinct stacks, threads, mappings, names. Rows are not
//! kept here. Each kind of fact gets a share of one budget; facts beyond the share are left out and
//! counted as a problem, and everything else continues.

use whyslow_settle::{FILE_BYTES, FINAL_NODE_BYTES, Mapped, Module, Process, Thread};
use whyslow_stacks::RAW_NODE_BYTES;

/// Cost of a text that rows refer to, in addition to its bytes.
const LABEL_BYTES: usize = 32;

/// Cost of an operation under way, with its key and its place in a half-full table.
const OPEN_OPERATION_BYTES: usize = 512;

/// Cost of ordering per process or thread: its place, and its number.
const ORDER_BYTES: usize = 8;

/// Limits on what is kept, derived from one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Nodes of the tree of raw stacks.
    pub stack_nodes: u32,
    /// Uses of stack keys that wait for their definition.
    pub stack_handles: u32,
    /// Nodes of the tree of final stacks.
    pub final_nodes: u32,
    /// Lifetimes of threads.
    pub threads: u32,
    /// Process rows.
    pub processes: u32,
    /// Mappings of modules.
    pub mappings: u32,
    /// Modules.
    pub modules: u32,
    /// Files that calls use.
    pub files: u32,
    /// Addresses and names of the network.
    pub labels: u32,
    /// Operations of one kind under way at the same time.
    pub open_operations: u32,
    /// Bytes of names, paths and command lines.
    pub text_bytes: usize,
}

impl Limits {
    /// Returns limits that keep import within about `bytes`, at least 16 MB.
    pub fn within(bytes: usize) -> Self {
        let bytes = bytes.max(16 << 20);
        let share = |percent: usize, each: usize| {
            u32::try_from(bytes / 100 * percent / each).unwrap_or(u32::MAX)
        };
        // While rows are settled, the index of the raw tree is gone, and the final tree grows.
        Self {
            stack_nodes: share(36, RAW_NODE_BYTES),
            stack_handles: share(6, size_of::<u32>()),
            final_nodes: share(22, FINAL_NODE_BYTES),
            threads: share(6, size_of::<Thread>() + ORDER_BYTES),
            processes: share(10, size_of::<Process>() + ORDER_BYTES),
            mappings: share(20, size_of::<Mapped>()),
            modules: share(2, 2 * size_of::<Module>()),
            files: share(8, FILE_BYTES),
            labels: share(1, LABEL_BYTES),
            open_operations: share(4, OPEN_OPERATION_BYTES),
            text_bytes: bytes / 100 * 10,
        }
    }
}

impl Default for Limits {
    /// Limits for the whole program's default budget of 512 MB; the sink has half of it.
    fn default() -> Self {
        Self::within(256 << 20)
    }
}
