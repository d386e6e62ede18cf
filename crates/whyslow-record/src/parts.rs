//! What a recording holds: parts that may be left out, and profiles.

use crate::settings::Settings;

/// A part of a recording. What threads do and wait for, and which processes there are, is always recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// CPU samples.
    Samples,
    /// System calls, counted.
    SystemCalls,
    /// Calls about files, counted by file; needs that system calls are counted.
    Files,
    /// Calls about files one by one; needs [`Part::Files`].
    FileList,
    /// TCP connections and look-ups of names.
    Network,
    /// Requests to disks.
    Disk,
    /// Stalls for lack of memory, and how much memory processes have.
    Memory,
}

/// How much is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Lowest cost: 199 samples per second, no system calls, files or connections.
    Light,
    /// Finds most causes at a cost that suits most programs.
    #[default]
    Default,
    /// More single events and stacks, at a higher cost: every system call timed, 100,000 calls about files
    /// with rows of their own, user stacks of waits from 0.1 ms on.
    Deep,
}

impl Part {
    /// All parts with their names and what they are.
    pub const ALL: [(Self, &'static str, &'static str); 7] = [
        (Self::Samples, "samples", "CPU samples"),
        (Self::SystemCalls, "syscalls", "counts of system calls"),
        (Self::Files, "files", "calls about files, counted by file"),
        (Self::FileList, "file-list", "single calls about files"),
        (Self::Network, "network", "connections and name look-ups"),
        (Self::Disk, "disk", "requests to disks"),
        (
            Self::Memory,
            "memory",
            "stalls for lack of memory, and how much memory processes have",
        ),
    ];

    /// Returns the part with a name.
    pub fn of_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known, _)| *known == name);
        found.map(|&(part, ..)| part)
    }

    /// Returns the part that this one depends on.
    fn needs(self) -> Option<Self> {
        match self {
            Self::FileList => Some(Self::Files),
            Self::Files => Some(Self::SystemCalls),
            _ => None,
        }
    }
}

impl Profile {
    /// All profiles with their names.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Light, "light"),
        (Self::Default, "default"),
        (Self::Deep, "deep"),
    ];

    /// Returns the profile with a name.
    pub fn of_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found.map(|&(profile, _)| profile)
    }
}

impl Settings {
    /// Applies a profile.
    pub fn use_profile(&mut self, profile: Profile) {
        match profile {
            Profile::Default => {}
            Profile::Light => {
                self.sample_hz = 199;
                self.leave_out(Part::SystemCalls);
                self.leave_out(Part::Network);
            }
            Profile::Deep => {
                self.hot_call_gap_ns = 0;
                self.file_rows_per_second = 100_000;
                self.wait_threshold_ns = 100_000;
                self.stacks_per_second = 200_000;
                self.user_stack_bytes_per_second = 32_000_000;
            }
        }
    }

    /// Leaves a part out, and all that need it.
    pub fn leave_out(&mut self, part: Part) {
        match part {
            Part::Samples => self.sample_hz = 0,
            Part::SystemCalls => {
                self.count_system_calls = false;
                self.leave_out(Part::Files);
            }
            Part::Files => {
                self.record_files = false;
                self.leave_out(Part::FileList);
            }
            Part::FileList => self.file_rows_per_second = 0,
            Part::Network => self.record_network = false,
            Part::Disk => self.record_disks = false,
            Part::Memory => self.record_memory = false,
        }
    }

    /// Leaves out parts by their names: all but `only` and what they need, if that says any, and `without`.
    /// Names that no part has do not count.
    pub fn choose(&mut self, only: &[String], without: &[String]) {
        let parts = |names: &[String]| -> Vec<Part> {
            let parts = names.iter().map(|name| Part::of_name(name));
            parts.flatten().collect()
        };
        if !only.is_empty() {
            self.keep_only(&parts(only));
        }
        for part in parts(without) {
            self.leave_out(part);
        }
    }

    /// Leaves out all parts but these and those that they need.
    fn keep_only(&mut self, parts: &[Part]) {
        let is_kept = |part: Part| {
            let mut parts = parts.iter().copied();
            parts.any(|kept| {
                let mut needed = std::iter::successors(Some(kept), |kept| kept.needs());
                needed.any(|needed| needed == part)
            })
        };
        for (part, ..) in Part::ALL {
            if !is_kept(part) {
                self.leave_out(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(settings: &Settings) -> Vec<&'static str> {
        let has = [
            ("samples", settings.sample_hz > 0),
            ("syscalls", settings.count_system_calls),
            ("files", settings.record_files),
            ("file-list", settings.file_rows_per_second > 0),
            ("network", settings.record_network),
            ("disk", settings.record_disks),
            ("memory", settings.record_memory),
        ];
        let has = has.into_iter().filter(|&(_, has)| has);
        has.map(|(name, _)| name).collect()
    }

    #[test]
    fn parts_bring_what_they_need_and_take_what_needs_them() {
        let mut settings = Settings::new("x");
        assert_eq!(recorded(&settings).len(), Part::ALL.len());
        settings.keep_only(&[Part::FileList, Part::Disk]);
        assert_eq!(
            recorded(&settings),
            ["syscalls", "files", "file-list", "disk"]
        );
        let mut settings = Settings::new("x");
        settings.leave_out(Part::SystemCalls);
        assert_eq!(
            recorded(&settings),
            ["samples", "network", "disk", "memory"]
        );
        let mut settings = Settings::new("x");
        settings.use_profile(Profile::Light);
        assert_eq!(recorded(&settings), ["samples", "disk", "memory"]);
        assert_eq!(Part::of_name("file-list"), Some(Part::FileList));
        assert_eq!(Profile::of_name("deeper"), None);
    }
}
