//! `limits`: which groups of processes have limits, and what the limits cost.

use whyslow_model::Capability;
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::groups::Groups;
use crate::question::{Empty, Question, Request, Subject};
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::sums::notes;
use crate::view::View;

/// The question; the groups that were stopped longest come first.
pub(super) static QUESTION: Question = Question {
    name: "limits",
    about: "Limits of containers, services and other groups: CPU quota, memory, and what they cost",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[],
    about_what: Subject::Recording,
    empty: Empty::AllIsWell("no group of processes has a limit"),
    ask,
};

const HELP: &str = "\
Groups of processes (cgroups) that have a CPU quota or a memory limit, and the machine itself. The kernel's own counters are read when recording starts, about once per second, and when
it ends. With --from and --to, the last reading before that time and the first one after it count, too. The machine
itself has no limits: its row appears if something was held up, or if you select available, dirty or swapped.

How long a thread was stopped by a quota: whyslow threads --columns +throttled

Examples:
  whyslow limits x.whyslow
  whyslow limits x.whyslow --columns +path,+memory-stall
  whyslow limits x.whyslow --columns group,available,dirty,swapped,memory-stall";

static TABLE: ResultSchema = ResultSchema::new(
    "limits",
    "Limits of groups of processes, and their effects.",
    "Limits",
    &SHOWN,
)
.largest("throttled-time");

#[rustfmt::skip]
const COLUMNS: Columns<Row> = &[
    ResultColumn::new("group", "group_name", "Group", Kind::Text, "The container, service or group of processes; `machine` is the whole machine.").priority(0)
        .cell(|row, ()| Value::text(&row.name)),
    ResultColumn::new("path", "group_path", "Path", Kind::Text, "Its path in the hierarchy of groups.").hidden()
        .cell(|row, ()| Value::text(&row.path)),
    ResultColumn::new("quota", "cpu_quota_ns", "CPU quota", Kind::Duration, "CPU time that it may use in each period; empty without a quota.").priority(0)
        .cell(|row, ()| Value::int(row.cpu_quota_ns)),
    ResultColumn::new("period", "cpu_period_ns", "Period", Kind::Duration, "Length of a period.").priority(2)
        .cell(|row, ()| Value::int(row.cpu_period_ns)),
    ResultColumn::new("periods", "periods", "Periods", Kind::Count, "Periods in which anything of it ran.").priority(4)
        .cell(|row, ()| Value::int(row.periods)),
    ResultColumn::new("throttled", "throttled_periods", "Stopped in", Kind::Count, "Periods in which it was stopped because its quota was used up.").priority(1)
        .cell(|row, ()| Value::int(row.throttled_periods)),
    ResultColumn::new("throttled-time", "throttled_ns", "Stopped (sum)", Kind::Duration, "How long its queues were stopped, summed over CPUs.").priority(1)
        .cell(|row, ()| Value::int(row.throttled_ns)),
    ResultColumn::new("shares", "cpu_shares", "CPU shares", Kind::Count, "Its weight when others want CPU time; the default is 1024.").hidden()
        .cell(|row, ()| Value::int(row.cpu_shares)),
    ResultColumn::new("memory-limit", "memory_limit_bytes", "Memory limit", Kind::Bytes, "Memory that it may use, or above which it is slowed down; empty without a limit.").priority(0)
        .cell(|row, ()| Value::int(row.memory_limit_bytes)),
    ResultColumn::new("memory", "most_memory_bytes", "Most used", Kind::Bytes, "Most memory that it was seen to use, including its cache.").priority(2)
        .cell(|row, ()| Value::int(row.most_memory_bytes)),
    ResultColumn::new("refused", "memory_failures", "Over limit", Kind::Count, "How often it asked for more memory than that.").priority(1)
        .cell(|row, ()| Value::int(row.memory_failures)),
    ResultColumn::new("kills", "memory_kills", "Killed", Kind::Count, "How many of its processes were killed because memory was short.").priority(3)
        .cell(|row, ()| Value::int(row.memory_kills)),
    ResultColumn::new("cpu-stall", "cpu_stall_ns", "CPU stall", Kind::Duration, "How long some thread of it could not continue for lack of a CPU; empty where the kernel does not say.").hidden()
        .cell(|row, ()| Value::int(row.cpu_stall_ns)),
    ResultColumn::new("memory-stall", "memory_stall_ns", "Memory stall", Kind::Duration, "How long some thread of it could not continue because memory was short.").hidden()
        .cell(|row, ()| Value::int(row.memory_stall_ns)),
    ResultColumn::new("io-stall", "io_stall_ns", "I/O stall", Kind::Duration, "How long some thread of it could not continue because of disk I/O.").hidden()
        .cell(|row, ()| Value::int(row.io_stall_ns)),
    ResultColumn::new("steal", "steal_ns", "Stolen", Kind::Duration, "Time that the host gave to other machines, summed over CPUs.").hidden()
        .cell(|row, ()| Value::int(row.steal_ns)),
    ResultColumn::new("available", "least_available_bytes", "Available", Kind::Bytes, "Of the machine: the least memory that programs could have without swapping.").hidden()
        .cell(|row, ()| Value::int(row.available_bytes)),
    ResultColumn::new("dirty", "most_dirty_bytes", "Dirty", Kind::Bytes, "Of the machine: the most data in memory that still had to be written to disks.").hidden()
        .cell(|row, ()| Value::int(row.dirty_bytes)),
    ResultColumn::new("swapped", "most_swapped_bytes", "Swapped", Kind::Bytes, "Of the machine: the most that was in the swap area.").hidden()
        .cell(|row, ()| Value::int(row.swapped_bytes)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// A group with a limit, or the machine.
struct Row {
    name: String,
    path: String,
    cpu_quota_ns: Option<i64>,
    cpu_period_ns: Option<i64>,
    periods: Option<i64>,
    throttled_periods: Option<i64>,
    throttled_ns: Option<i64>,
    cpu_shares: Option<i64>,
    memory_limit_bytes: Option<i64>,
    most_memory_bytes: Option<i64>,
    memory_failures: Option<i64>,
    memory_kills: Option<i64>,
    cpu_stall_ns: Option<i64>,
    memory_stall_ns: Option<i64>,
    io_stall_ns: Option<i64>,
    steal_ns: Option<i64>,
    available_bytes: Option<i64>,
    dirty_bytes: Option<i64>,
    swapped_bytes: Option<i64>,
}

/// Columns that always have a value for the machine.
const OF_MACHINE: [&str; 3] = ["available", "dirty", "swapped"];

impl Row {
    fn tells_nothing(&self, of_machine: bool) -> bool {
        if of_machine && self.available_bytes.is_some() {
            return false;
        }
        let limits = [self.cpu_quota_ns, self.memory_limit_bytes];
        let costs = [
            self.cpu_stall_ns,
            self.memory_stall_ns,
            self.io_stall_ns,
            self.steal_ns,
        ];
        // The machine has no limits; if no time was stolen from it, there is nothing to show.
        let is_nothing = |figure: &Option<i64>| figure.unwrap_or(0) == 0;
        limits.iter().all(Option::is_none) && costs.iter().all(is_nothing)
    }
}

/// Whether a choice of columns has one of the machine.
fn asks_for_machine(words: &[String]) -> bool {
    let of_machine = || SHOWN.iter().filter(|one| OF_MACHINE.contains(&one.key));
    words.iter().any(|word| {
        let word = word.trim_start_matches('+');
        word == "*" || of_machine().any(|one| one.key == word || one.name == word)
    })
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let selection = request.selection;
    shape::ask(views, selection, &TABLE, |view, facts| {
        if !facts.has(Capability::Limits) {
            return Ok(Read::lacks(&facts, Capability::Limits));
        }
        let window = Scope::new(view, &facts, selection)?.window_ns;
        let window = window.unwrap_or((0, facts.duration_ns()));
        let groups = Groups::read(view)?;
        let used = groups.all().filter_map(|group| groups.usage(group, window));
        let rows = used.map(|used| Row {
            name: used.group.name.clone(),
            path: used.group.path.clone(),
            cpu_quota_ns: used.last.cpu_quota_ns,
            cpu_period_ns: used.last.cpu_period_ns,
            periods: used.periods,
            throttled_periods: used.throttled_periods,
            throttled_ns: used.throttled_ns,
            cpu_shares: used.last.cpu_shares,
            memory_limit_bytes: used.last.memory_limit_bytes.or(used.last.memory_high_bytes),
            most_memory_bytes: used.most_memory_bytes,
            memory_failures: match used.last.memory_limit_bytes {
                Some(_) => used.memory_failures,
                None => used.memory_high_events,
            },
            memory_kills: used.memory_kills,
            cpu_stall_ns: used.cpu_stall_ns,
            memory_stall_ns: used.memory_stall_ns,
            io_stall_ns: used.io_stall_ns,
            steal_ns: used.steal_ns,
            available_bytes: used.least_available_bytes,
            dirty_bytes: used.most_dirty_bytes,
            swapped_bytes: used.most_swapped_bytes,
        });
        let of_machine = asks_for_machine(&selection.columns.words);
        let rows = rows.filter(|row| !row.tells_nothing(of_machine)).collect();
        Ok(Read::rows(COLUMNS, rows, (), notes(&facts)))
    })
}
