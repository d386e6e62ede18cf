//! What a recording holds. A question that needs what is not there says so, never zero.

use std::collections::BTreeMap;

use crate::system::System;
use crate::tables::CapabilityRow;

/// How to record anything on Windows: its own recorder has a profile for it.
const ON_WINDOWS: &str = "record by the commands that `whyslow record --print-windows` prints";

macro_rules! capabilities {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $how:literal,)*) => {
        /// A kind of data a recording may hold.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Capability { $($(#[doc = $doc])* $variant,)* }

        impl Capability {
            /// Every capability.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name, as in the `capability` table.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns how to record it on a system, in one sentence.
            pub fn how_to_record(self, on: System) -> &'static str {
                match (on, self) {
                    (System::Windows, _) => ON_WINDOWS,
                    $((System::Linux, Self::$variant) => $how,)*
                }
            }
        }
    };
}

capabilities! {
    /// CPU samples.
    CpuSamples "cpu samples" "record with `whyslow record`, or `perf record -e cpu-clock -a -g`",
    /// Samples carry stacks.
    SampleStacks "sample stacks" "record with `whyslow record`, or give `perf record` the option -g",
    /// User stacks are unwound, not only two frames deep.
    UserStacks "user stacks" "record with `whyslow record` as root, or `perf record --call-graph dwarf`",
    /// Context switches.
    Switches "switches" "record with `whyslow record` as root, or add `-e sched:sched_switch`",
    /// Switches carry the stack of the thread that left.
    SwitchStacks "switch stacks" "record with `whyslow record` as root, or add -g to the switch event",
    /// Waits carry the user half of their stack.
    WaitUserStacks "wait user stacks" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Wake-ups: who made a thread runnable, and when.
    WakeUps "wake-ups" "record with `whyslow record` as root, or add `-e sched:sched_waking`",
    /// Process starts, execs and exits.
    ProcessEvents "process events" "record with `whyslow record`; `perf record` always has them",
    /// Whole command lines.
    CommandLines "command lines" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Exit codes.
    ExitCodes "exit codes" "record with `whyslow record` as root on a kernel that allows eBPF",
    /// Requests to disks, from their issue to their completion.
    DiskIo "disk requests" "record with `whyslow record` as root, or add `-e block:block_rq_issue -e block:block_rq_complete`",
    /// The whole machine, not one process.
    WholeMachine "whole machine" "record as root with `whyslow record`, or give `perf record` the option -a",
}

/// Whether a capability is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Not recorded.
    No,
    /// Recorded in part; the note says which.
    Partial,
    /// Recorded.
    Yes,
}

impl Presence {
    /// Returns the word the `capability` table has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Partial => "partial",
            Self::Yes => "yes",
        }
    }
}

/// The capabilities of one recording; what was never set is not recorded.
#[derive(Debug, Clone, Default)]
pub struct Capabilities {
    entries: BTreeMap<Capability, (Presence, Option<String>)>,
}

impl Capabilities {
    /// Says that `capability` is recorded.
    pub fn set(&mut self, capability: Capability) {
        self.entries.insert(capability, (Presence::Yes, None));
    }

    /// Says that `capability` is missing or partial, and why.
    pub fn note(&mut self, capability: Capability, presence: Presence, note: &str) {
        let entry = (presence, Some(note.to_owned()));
        self.entries.insert(capability, entry);
    }

    /// Returns whether `capability` is there.
    pub fn presence(&self, capability: Capability) -> Presence {
        let entry = self.entries.get(&capability);
        entry.map_or(Presence::No, |entry| entry.0)
    }

    /// Returns the note on `capability`.
    pub fn why(&self, capability: Capability) -> Option<&str> {
        self.entries.get(&capability)?.1.as_deref()
    }

    /// Returns the rows of the `capability` table of a recording of a system, every capability named.
    pub fn rows(&self, of: System) -> Vec<CapabilityRow> {
        let row = |&capability: &Capability| {
            let presence = self.presence(capability);
            let how = (presence == Presence::No).then(|| capability.how_to_record(of).to_owned());
            CapabilityRow {
                name: capability.name().to_owned(),
                presence: presence.name().to_owned(),
                note: self.why(capability).map(ToOwned::to_owned).or(how),
            }
        };
        Capability::ALL.iter().map(row).collect()
    }

    /// Returns the capabilities that rows of the `capability` table state.
    pub fn from_rows(rows: impl IntoIterator<Item = CapabilityRow>) -> Self {
        let mut entries = BTreeMap::new();
        for row in rows {
            let mut all = Capability::ALL.iter();
            let Some(&capability) = all.find(|c| c.name() == row.name) else {
                continue;
            };
            let presence = match row.presence.as_str() {
                "yes" => Presence::Yes,
                "partial" => Presence::Partial,
                _ => Presence::No,
            };
            entries.insert(capability, (presence, row.note));
        }
        Self { entries }
    }
}
