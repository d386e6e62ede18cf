//! Groups of processes that share limits; Linux calls them control groups.

use super::Width;
use crate::column::{Column, NULL_I64};
use crate::ids::ProcessId;
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::table::{Field, TableRow};

table! {
    /// A group of processes that shares limits: a container, a service, a control group.
    GroupRow GROUP "process_group" Fact since 2 {
        /// Row number.
        id: i32,
        /// What it can limit: `cpu`, `memory`, or `all`.
        resource: String,
        /// Its path in the hierarchy of such groups; `/` is the machine, or what is seen of it.
        path: String,
        /// What people call it: the service, the container, or the last part of the path.
        name: String,
    }
}

table! {
    /// A process is in a group, from a time on, until another row of the same resource; one without a row starts in the group of its predecessor, or else of its parent.
    GroupMemberRow GROUP_MEMBER "group_member" Fact since 2 {
        /// The process.
        process: ProcessId,
        /// Since when; null if since before the trace.
        from_ns: Option<i64>,
        /// Row number of the group.
        process_group: i32,
    }
}

table! {
    /// What a group with a limit may use and has used, at one moment; counters count since the group was created.
    GroupReadingRow GROUP_READING "group_reading" Fact since 2 {
        /// Row number of the group.
        process_group: i32,
        /// When it was read: at the start, at the end, and about once per second.
        time_ns: i64,
        /// CPU time that it may use in each period; null without a quota.
        cpu_quota_ns: Option<i64>,
        /// Length of a period.
        cpu_period_ns: Option<i64>,
        /// Periods in which anything of it ran.
        periods: Option<i64>,
        /// Periods in which it was stopped because its quota was used up.
        throttled_periods: Option<i64>,
        /// How long its queues were stopped, summed over CPUs.
        throttled_ns: Option<i64>,
        /// Its weight when others want CPU time; the default is 1024.
        cpu_shares: Option<i64>,
        /// Memory that it may use; null without a limit.
        memory_limit_bytes: Option<i64>,
        /// Memory above which it is slowed down; null without such a limit.
        memory_high_bytes: Option<i64>,
        /// Memory that it uses, including its cache.
        memory_bytes: Option<i64>,
        /// How often it wanted more memory than its limit.
        memory_failures: Option<i64>,
        /// How often it exceeded the memory above which it is slowed down.
        memory_high_events: Option<i64>,
        /// How many of its processes were killed because memory was short.
        memory_kills: Option<i64>,
        /// How long some of its threads could not continue for lack of a CPU (PSI); of the group `/`: of the machine.
        cpu_stall_ns: Option<i64>,
        /// … for lack of memory.
        memory_stall_ns: Option<i64>,
        /// … because of disk I/O.
        io_stall_ns: Option<i64>,
        /// Time that the host gave to other machines instead of this one; of the group `/`.
        steal_ns: Option<i64>,
        /// Memory that programs can have without swapping; of the group `/`.
        available_bytes: Option<i64>,
        /// Data in memory that still has to be written to disks; of the group `/`.
        dirty_bytes: Option<i64>,
        /// What is in the swap area; of the group `/`.
        swapped_bytes: Option<i64>,
    }
}
