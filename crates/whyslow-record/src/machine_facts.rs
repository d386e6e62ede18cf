//! Facts about the machine and the session, for the file's feature sections.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::time::{SystemTime, UNIX_EPOCH};

use whyslow_perfdata::abi::feature;
use whyslow_perfdata::writer::{ClockReading, Features};
use whyslow_proc::cpus;

use whyslow_bpf::now_ns;

use crate::sys::clock;
use crate::sys::process::utc_offset_s;

/// Facts that do not change while recording.
#[derive(Clone, Debug)]
pub(crate) struct MachineFacts {
    pub(crate) host: String,
    pub(crate) kernel: String,
    pub(crate) kernel_version: String,
    pub(crate) architecture: String,
    pub(crate) system: String,
    pub(crate) cpu_model: String,
    pub(crate) cpus_online: u32,
    pub(crate) cpus_possible: u32,
    pub(crate) memory_kb: u64,
    pub(crate) boot_id: String,
    pub(crate) boot_unix_s: u64,
    pub(crate) time_zone: String,
    pub(crate) utc_offset_s: i64,
}

impl MachineFacts {
    /// Reads the facts; what cannot be read is empty or 0.
    pub(crate) fn read(online_cpus: usize) -> Self {
        Self {
            host: read_line("/proc/sys/kernel/hostname"),
            kernel: read_line("/proc/sys/kernel/osrelease"),
            kernel_version: read_line("/proc/sys/kernel/version"),
            architecture: std::env::consts::ARCH.to_owned(),
            system: system_name(),
            cpu_model: value_of("/proc/cpuinfo", "model name", ':'),
            cpus_online: u32::try_from(online_cpus).unwrap_or(0),
            cpus_possible: cpus::possible_count(),
            memory_kb: value_of("/proc/meminfo", "MemTotal", ':')
                .split_ascii_whitespace()
                .next()
                .and_then(|number| number.parse().ok())
                .unwrap_or(0),
            boot_id: read_line("/proc/sys/kernel/random/boot_id"),
            boot_unix_s: value_of("/proc/stat", "btime", ' ').parse().unwrap_or(0),
            time_zone: time_zone(),
            utc_offset_s: utc_offset_s(clock::unix_s()),
        }
    }

    /// The sections that perf knows.
    pub(crate) fn features(&self, command_line: &[OsString]) -> Features {
        let mut features = Features::new();
        features.string(feature::HOSTNAME, &self.host);
        features.string(feature::OSRELEASE, &self.kernel);
        features.string(
            feature::VERSION,
            concat!("whyslow ", env!("CARGO_PKG_VERSION")),
        );
        features.string(feature::ARCH, &self.architecture);
        features.cpu_counts(self.cpus_possible, self.cpus_online);
        features.string(feature::CPUDESC, &self.cpu_model);
        features.numbers(feature::TOTAL_MEM, &[self.memory_kb]);
        let arguments: Vec<&[u8]> = command_line.iter().map(|word| word.as_bytes()).collect();
        features.strings(feature::CMDLINE, arguments.into_iter());
        features.numbers(feature::CLOCKID, &[1]);
        features.clock(clock_reading());
        features
    }

    /// Lines of the info section.
    pub(crate) fn info(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "recorder",
                concat!("whyslow ", env!("CARGO_PKG_VERSION")).to_owned(),
            ),
            ("host", self.host.clone()),
            ("system", self.system.clone()),
            ("kernel", self.kernel.clone()),
            ("kernel_version", self.kernel_version.clone()),
            ("cpu_model", self.cpu_model.clone()),
            ("cpus_online", self.cpus_online.to_string()),
            ("cpus_possible", self.cpus_possible.to_string()),
            ("memory_kb", self.memory_kb.to_string()),
            ("boot_id", self.boot_id.clone()),
            ("boot_unix_s", self.boot_unix_s.to_string()),
            ("time_zone", self.time_zone.clone()),
            ("utc_offset_s", self.utc_offset_s.to_string()),
        ]
    }
}

/// The recording's clock and the time of day at the same moment.
fn clock_reading() -> ClockReading {
    let before = now_ns();
    let wall = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let after = now_ns();
    ClockReading {
        clock_id: clock::RECORDING_CLOCK.cast_unsigned(),
        clock_ns: before.midpoint(after),
        wall_ns: u64::try_from(wall.as_nanos()).unwrap_or(0),
    }
}

fn read_line(path: &str) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// The value of the first line `key…separator value` of a file.
fn value_of(path: &str, key: &str, separator: char) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(separator))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().to_owned())
        .unwrap_or_default()
}

fn system_name() -> String {
    let text = std::fs::read_to_string("/etc/os-release")
        .or_else(|_| std::fs::read_to_string("/usr/lib/os-release"))
        .unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))
        .map(|name| name.trim_matches('"').to_owned())
        .unwrap_or_default()
}

/// The zone's name in the tz database, or `UTC` where nothing is configured.
fn time_zone() -> String {
    if let Some(zone) = std::env::var("TZ").ok().filter(|zone| !zone.is_empty()) {
        return zone.trim_start_matches(':').to_owned();
    }
    let link = std::fs::read_link("/etc/localtime").unwrap_or_default();
    let link = link.to_string_lossy();
    if let Some((_, zone)) = link.split_once("zoneinfo/") {
        return zone.to_owned();
    }
    let configured = read_line("/etc/timezone");
    if configured.is_empty() {
        "UTC".to_owned()
    } else {
        configured
    }
}
