//! The end of a recording: its counts, its feature sections and its report.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use whyslow_perfdata::abi::feature;
use whyslow_perfdata::whyslow_events::{FEATURE_INFO, FEATURE_KALLSYMS, FEATURE_KEPT_FILES};
use whyslow_perfdata::writer::Features;
use whyslow_proc::disks::disks;
use whyslow_proc::file_locks::HeldLock;
use whyslow_proc::mounts::Mounted;

use crate::events::EventKind;
use crate::kept_files::Kept;
use crate::kernel::KernelSymbols;
use crate::limit_reached::LimitReached;
use crate::machine_facts::MachineFacts;
use crate::open::OpenEvents;
use crate::python::Python;
use crate::report::{
    CommandEnding, CommandOutcome, DropReason, DroppedStacks, EventCount, Missing, RecordReport,
};
use crate::rights;
use crate::settings::Settings;
use crate::switch_chain::SwitchChain;
use crate::sys::process::own_cpu;
use crate::transform::Transform;
use whyslow_bpf::Counters;
use whyslow_bpf::costs::{Cost, Moment};
use whyslow_groups::GroupReadings;

/// First and last moment of a recording, in nanoseconds of its clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
}

/// What a recording was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) opened: &'a OpenEvents,
    pub(crate) machine: &'a MachineFacts,
    pub(crate) command: Option<&'a [OsString]>,
    pub(crate) command_pid: Option<i32>,
    /// The folder in which it began.
    pub(crate) command_folder: Option<&'a Path>,
    /// The locks on files that were held as it began.
    pub(crate) locks: &'a [HeldLock],
    /// The file systems that were mounted as it began, or as it ended.
    pub(crate) mounts: &'a [Mounted],
    /// The resource limits of the command.
    pub(crate) command_limits: &'a [(String, String)],
    /// What looks at the command found.
    pub(crate) looks: &'a [(String, String)],
    pub(crate) outcome: Option<CommandOutcome>,
    pub(crate) symbols: Option<&'a KernelSymbols>,
    /// What the eBPF programs counted between the first and the last moment.
    pub(crate) counters: Counters,
    /// How long the eBPF programs ran meanwhile.
    pub(crate) costs: &'a BTreeMap<Moment, Cost>,
    pub(crate) times: Times,
    /// What the groups reported.
    pub(crate) groups: &'a GroupReadings,
}

/// The feature sections that are known before the first record.
pub(crate) fn start_features(
    settings: &Settings,
    opened: &OpenEvents,
    machine: &MachineFacts,
) -> Features {
    let mut command_line = settings.command_line.clone();
    if command_line.is_empty() {
        command_line = std::env::args_os().collect();
    }
    let mut features = machine.features(&command_line);
    features.events(&opened.descriptions());
    if let Some(tracepoints) = &opened.tracepoints {
        features.bytes(feature::TRACING_DATA, tracepoints.tracing_data().to_bytes());
    }
    features.build_ids(&crate::kernel::build_ids());
    features
}

impl Session<'_> {
    /// Completes the sections and makes the report; its file size is still to be filled in.
    pub(crate) fn finish(
        &self,
        mut features: Features,
        transform: &Transform,
        (kept, left_out): Kept,
    ) -> (Features, RecordReport) {
        if let Some(symbols) = self.symbols {
            let excerpt =
                symbols.excerpt(&transform.addresses.sorted(), &self.opened.own_functions());
            features.bytes(FEATURE_KALLSYMS, excerpt.into_bytes());
        }
        let mut report = self.report(transform);
        report
            .limits
            .extend((left_out.count > 0).then_some(left_out));
        if !kept.is_empty() {
            features.bytes(FEATURE_KEPT_FILES, kept);
        }
        features.numbers(
            feature::SAMPLE_TIME,
            &[transform.first_sample_ns, transform.last_sample_ns],
        );
        features.bytes(FEATURE_INFO, self.info(&report, transform).into_bytes());
        (features, report)
    }

    fn report(&self, transform: &Transform) -> RecordReport {
        let lost = self.opened.lost();
        let mut events: Vec<EventCount> = Vec::new();
        let mut dropped_stacks = Vec::new();
        let mut hidden: Vec<(String, u64)> = Vec::new();
        for ((event, tally), lost) in self.opened.events.iter().zip(&transform.tallies).zip(lost) {
            let name = event.spec.name.clone();
            if event.spec.kind.is_hidden() {
                // Its losses count for the event of the same name; counts of system calls for which
                // there was no room follow later.
                if event.spec.kind != EventKind::SystemCallOutput {
                    hidden.push((name, lost));
                }
                continue;
            }
            if tally.without_stack > 0 {
                dropped_stacks.push(DroppedStacks {
                    name: name.clone(),
                    count: tally.without_stack,
                    reason: DropReason::Rate,
                });
            }
            dropped_stacks.extend(dropped((&name, tally.of_sample, DropReason::Sampled)));
            events.push(EventCount {
                name,
                samples: tally.samples,
                lost,
            });
        }
        for (name, lost) in hidden {
            if let Some(shown) = events.iter_mut().find(|count| count.name == name) {
                shown.lost += lost;
            }
        }
        dropped_stacks.extend(self.dropped_user_stacks());
        let unreported = transform.switch_chain.as_ref();
        let others = [
            (
                "stacks of threads that the kernel hides",
                unreported.map_or(transform.unseen_switches, SwitchChain::reported),
                DropReason::Hidden,
            ),
            (
                "user stacks that there was no time to unwind",
                transform.walker.skipped(),
                DropReason::NoTime,
            ),
        ];
        dropped_stacks.extend(others.into_iter().filter_map(dropped));
        let (recorder_user, recorder_system) = own_cpu();
        let marks = self.opened.system_calls.as_ref();
        let pid_of_command = self.command_pid.map(i32::cast_unsigned);
        RecordReport {
            output: self.settings.output.clone(),
            file_bytes: 0,
            duration: Duration::from_nanos(self.times.end_ns.saturating_sub(self.times.start_ns)),
            interrupted: false,
            command: self.outcome,
            events,
            long_exit_code: transform
                .long_code
                .and_then(|(pid, code)| (Some(pid) == pid_of_command).then_some(code)),
            marks: marks.map(|_| transform.marks.own().to_vec()),
            lost_marks: self.opened.lost_marks(),
            lost_in_rings: transform.lost_in_rings,
            dropped_stacks,
            user_stacks: transform.walker.counts(),
            recorder_user,
            recorder_system,
            missing: self.missing(transform),
            limits: self.limits(transform),
        }
    }

    /// What could not be recorded.
    fn missing(&self, transform: &Transform) -> Vec<Missing> {
        let mut missing = self.opened.missing.clone();
        if let Some(python) = &transform.python {
            let versions = python.other_versions();
            missing.extend(
                versions
                    .iter()
                    .map(|version| rights::other_interpreter(version)),
            );
        }
        let (java, node) = transform.walker.generated.unknown();
        missing.extend(java.map(rights::other_java));
        missing.extend(node.map(rights::other_node));
        let versions = &transform.goroutines.report.unknown;
        missing.extend(versions.iter().map(|&minor| rights::other_go(minor)));
        missing
    }

    /// What was left out because a limit was reached.
    fn limits(&self, transform: &Transform) -> Vec<LimitReached> {
        let python = transform.python.iter().flat_map(Python::limits);
        let own = [
            LimitReached::new(
                "system calls counted without their kind, because their thread made calls of many kinds",
                transform.calls_of_others,
            ),
            LimitReached::new(
                "readings of cgroups that missed some: too many",
                self.groups.cut_looks,
            ),
            LimitReached::new(
                "readings of cgroups that were left out: too many figures",
                self.groups.left_out,
            ),
        ];
        let generated = transform.walker.generated.limits();
        let generated = generated.map(|(what, count)| LimitReached::new(what, count));
        let all = own.into_iter().chain(python).chain(generated);
        let all = all.chain(transform.goroutines.limits());
        let all = all.chain(transform.memory.limits());
        all.filter(|limit| limit.count > 0).collect()
    }

    /// User stacks that the programs left out because there were too many.
    fn dropped_user_stacks(&self) -> Vec<DroppedStacks> {
        let counters = &self.counters;
        let kinds = [
            ("user stacks of waits", counters.waits),
            ("user stacks of waits outside system calls", counters.blocks),
            ("user stacks of preempted threads", counters.preempted),
            ("user stacks of cpu-clock", counters.samples),
            ("user stacks of wakers", counters.wakers),
        ];
        let limited = kinds.map(|(name, kind)| dropped((name, kind.limited, DropReason::Budget)));
        limited.into_iter().flatten().collect()
    }

    /// What the command was and what it took.
    fn command_lines(&self, lines: &mut Lines) {
        lines.push("recorder_pid", &std::process::id().to_string());
        if let Some(pid) = self.command_pid {
            lines.push("command_pid", &pid.to_string());
        }
        if let Some(folder) = self.command_folder {
            lines.push("command_folder", &folder.to_string_lossy());
        }
        for HeldLock { pid, path } in self.locks {
            lines.push("file_lock", &format!("{pid} {}", path.to_string_lossy()));
        }
        for mounted in self.mounts {
            lines.push("file_system", &mounted.line());
        }
        for disk in disks() {
            lines.push("disk", &disk);
        }
        for (key, value) in self.looks {
            lines.push(key, value);
        }
        for (what, limit) in self.command_limits {
            lines.push(&format!("command_limit.{what}"), limit);
        }
        for word in self.command.into_iter().flatten() {
            lines.push("command_argument", &word.to_string_lossy());
        }
        let Some(outcome) = &self.outcome else {
            return;
        };
        lines.push("command_wall_ns", &outcome.wall.as_nanos().to_string());
        lines.push("command_user_ns", &outcome.user.as_nanos().to_string());
        lines.push("command_system_ns", &outcome.system.as_nanos().to_string());
        match outcome.ending {
            CommandEnding::Exited(code) => lines.push("command_exit_code", &code.to_string()),
            CommandEnding::Signaled(signal) => {
                lines.push("command_signal", &signal.to_string());
            }
        }
    }

    /// What the programs did not count, or found no room for.
    fn losses(&self, lines: &mut Lines) {
        let lost = [
            ("lost_system_calls", self.opened.lost_system_calls()),
            ("lost_file_calls", self.opened.lost_file_calls()),
            ("lost_file_names", self.opened.lost_file_names()),
            ("lost_single_file_calls", self.opened.lost_file_rows()),
            ("lost_marks", self.opened.lost_marks()),
            ("lost_network", self.opened.lost_network()),
        ];
        for (key, count) in lost.into_iter().filter(|&(_, count)| count > 0) {
            lines.push(key, &count.to_string());
        }
    }

    /// The text of the info section.
    fn info(&self, report: &RecordReport, transform: &Transform) -> String {
        let mut lines = Lines::default();
        for (key, value) in self.machine.info() {
            lines.push(key, &value);
        }
        lines.push("start_ns", &self.times.start_ns.to_string());
        lines.push("end_ns", &self.times.end_ns.to_string());
        lines.push(
            "scope",
            if self.opened.scope.is_own_only {
                "command"
            } else {
                "machine"
            },
        );
        lines.push("sample_hz", &self.settings.sample_hz.to_string());
        let rows = self.settings.file_rows_per_second;
        lines.push("single_file_calls_per_second", &rows.to_string());
        self.command_lines(&mut lines);
        for event in &report.events {
            lines.push(
                &format!("samples.{}", event.name),
                &event.samples.to_string(),
            );
            lines.push(&format!("lost.{}", event.name), &event.lost.to_string());
        }
        if let Some(python) = &transform.python {
            let cost = python.cost();
            lines.push("interpreted_stacks", &cost.stacks.to_string());
            lines.push("interpreted_stacks_ns", &cost.ns.to_string());
            lines.push("interpreted_stacks_p99_ns", &cost.most_ns.to_string());
            lines.push(
                "interpreted_stacks_longest_ns",
                &cost.longest_ns.to_string(),
            );
        }
        goroutine_lines(&transform.goroutines.report, &mut lines);
        for word in self.opened.followed() {
            lines.push("follows", word);
        }
        self.losses(&mut lines);
        lines.push("lost_in_rings", &report.lost_in_rings.to_string());
        for dropped in &report.dropped_stacks {
            // A key ends with the first blank.
            let what = dropped.name.replace(' ', "-");
            let key = match dropped.reason {
                DropReason::Rate | DropReason::Budget => format!("dropped_stacks.{what}"),
                DropReason::Sampled => format!("sampled_stacks.{what}"),
                DropReason::NoTime => "late_stacks".to_owned(),
                DropReason::Hidden => "hidden_stacks".to_owned(),
            };
            lines.push(&key, &dropped.count.to_string());
        }
        lines.push(
            "user_stacks_complete",
            &report.user_stacks.complete.to_string(),
        );
        lines.push(
            "user_stacks_truncated",
            &report.user_stacks.truncated.to_string(),
        );
        lines.push("user_stacks_absent", &report.user_stacks.absent.to_string());
        lines.push(
            "recorder_user_ns",
            &report.recorder_user.as_nanos().to_string(),
        );
        lines.push(
            "recorder_system_ns",
            &report.recorder_system.as_nanos().to_string(),
        );
        for LimitReached { what, count } in &report.limits {
            lines.push("limit", &format!("{count} {what}"));
        }
        for (moment, Cost { moments, ns }) in self.costs {
            let word = moment.word();
            lines.push(&format!("handlers.{word}_count"), &moments.to_string());
            lines.push(&format!("handlers.{word}_ns"), &ns.to_string());
        }
        for Missing { what, why, remedy } in &report.missing {
            lines.push("missing", &format!("{what}\t{why}\t{remedy}"));
        }
        lines.text
    }
}

/// What looking at goroutines cost.
fn goroutine_lines(goroutines: &whyslow_goroutines::Report, lines: &mut Lines) {
    for (key, number) in [
        ("goroutines_looks", goroutines.looks),
        ("goroutines_ns", goroutines.cpu_ns),
        ("goroutines_longest_ns", goroutines.longest_ns),
    ] {
        lines.push(key, &number.to_string());
    }
    for (pid, setting) in &goroutines.settings {
        lines.push("go_setting", &format!("{pid} {setting}"));
    }
}

/// Stacks left out, if there are any.
fn dropped((name, count, reason): (&str, u64, DropReason)) -> Option<DroppedStacks> {
    (count > 0).then(|| DroppedStacks {
        name: name.to_owned(),
        count,
        reason,
    })
}

/// Lines `key value`; line ends and backslashes in values are escaped.
#[derive(Debug, Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn push(&mut self, key: &str, value: &str) {
        self.text.push_str(key);
        self.text.push(' ');
        for letter in value.chars() {
            match letter {
                '\n' => self.text.push_str("\\n"),
                '\\' => self.text.push_str("\\\\"),
                other => self.text.push(other),
            }
        }
        self.text.push('\n');
    }
}
