//! Memory stalls: the tracepoints of Linux.
//!
//! The kernel's `include/trace/events/vmscan.h`, `compaction.h`, `writeback.h` and `oom.h` describe
//! them. The end of a reclaim reports the pages it freed. `mm_vmscan_throttled` comes when its
//! pause is over, `balance_dirty_pages` before the pause; only some of those events pause at all.

use whyslow_model::MemoryStall;
use whyslow_perfdata::TraceFormat;

use super::{MemoryEvent, MemoryPhase};
use crate::operations::source::{Decoder, Tracepoint};
use crate::payload::perf::place;

/// One line each: name, whether it is needed, the kind of stall, the field that is read, and the
/// phase that its value gives.
macro_rules! tracepoints {
    ($($name:literal $is_needed:literal $kind:ident $field:literal $phase:expr,)*) => {
        &[$(Tracepoint {
            name: $name,
            is_needed: $is_needed,
            decoder: |format| decoder(format, MemoryStall::$kind, $field, $phase),
        },)*]
    };
}

/// The tracepoints that are read.
pub(super) const TRACEPOINTS: &[Tracepoint] = tracepoints! {
    "vmscan:mm_vmscan_direct_reclaim_begin" true Reclaim "order" |_| MemoryPhase::Begin,
    "vmscan:mm_vmscan_direct_reclaim_end" true Reclaim "nr_reclaimed" freed,
    "vmscan:mm_vmscan_memcg_reclaim_begin" false GroupReclaim "order" |_| MemoryPhase::Begin,
    "vmscan:mm_vmscan_memcg_reclaim_end" false GroupReclaim "nr_reclaimed" freed,
    "compaction:mm_compaction_begin" false Compaction "zone_start" |_| MemoryPhase::Begin,
    "compaction:mm_compaction_end" false Compaction "status" |_| MemoryPhase::End { pages: None },
    "vmscan:mm_vmscan_throttled" false Pause "usec_delayed" delayed,
    "writeback:balance_dirty_pages" false DirtyPause "pause" pauses,
    "oom:mark_victim" false Kill "pid" kills,
};

fn freed(pages: i64) -> MemoryPhase {
    let pages = Some(pages);
    MemoryPhase::End { pages }
}

fn delayed(us: i64) -> MemoryPhase {
    let duration_ns = us.saturating_mul(1000);
    MemoryPhase::Over { duration_ns }
}

fn pauses(ms: i64) -> MemoryPhase {
    let duration_ns = ms.saturating_mul(1_000_000);
    MemoryPhase::Ahead { duration_ns }
}

fn kills(pid: i64) -> MemoryPhase {
    let victim = u32::try_from(pid).unwrap_or(u32::MAX);
    MemoryPhase::Kill { victim }
}

/// Negative numbers, such as those of a writer that owes no pause, count as 0.
fn decoder(
    format: &TraceFormat,
    kind: MemoryStall,
    field: &str,
    phase: fn(i64) -> MemoryPhase,
) -> Option<Decoder> {
    let field = place(format, field)?;
    Some(Box::new(move |of| {
        let (tid, phase) = (of.tid, phase(of.number(field)?.max(0)));
        Some(MemoryEvent { tid, kind, phase }.into())
    }))
}
