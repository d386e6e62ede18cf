//! Against the perf tool, if it is installed and may record: the same counts, order and fields.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use whyslow_perfdata::{Reader, RecordBody};
use whyslow_testenv::{Feature, has, need};

/// Two processes; one of them is busy for a fixed time, the same on fast and slow machines.
const WORK: &str = "sh -c :; timeout 0.3 sh -c 'while :; do :; done'; exit 0";

/// A directory that is deleted when the test ends.
struct Recording {
    directory: PathBuf,
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Recording {
    fn file(&self) -> PathBuf {
        self.directory.join("perf.data")
    }

    /// Runs perf on the file and returns its output; `None`, with a printed line, if it fails.
    fn perf(&self, arguments: &[&str]) -> Option<String> {
        let command = Command::new("perf")
            .args(arguments)
            .arg("-i")
            .arg(self.file())
            .stderr(Stdio::null())
            .output();
        let output = command.ok().filter(|output| output.status.success());
        let output = output.ok_or("perf cannot read what it recorded");
        let output = need(Feature::Perf, output)?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn reader(&self) -> Reader {
        Reader::open(&self.file()).unwrap()
    }
}

/// Records the work; `None`, with the reason printed, if that is not possible.
fn record(name: &str, options: &[&str]) -> Option<Recording> {
    if !has(Feature::Perf) {
        return None;
    }
    let directory = format!("whyslow-perfdata-{}-{name}", std::process::id());
    let directory = std::env::temp_dir().join(directory);
    std::fs::create_dir_all(&directory).unwrap();
    let recording = Recording { directory };
    let mut command = Command::new("perf");
    // Build ids in the records: perf 6.1 crashes on files without them that were recorded while
    // another recorder requested them.
    command.args(["record", "-q", "--buildid-mmap"]);
    command.args(options);
    if options.contains(&"-") {
        let out = std::fs::File::create(recording.file()).unwrap();
        command.stdout(out);
    } else {
        command.arg("-o").arg(recording.file());
    }
    let output = command
        .args(["--", "sh", "-c", WORK])
        .stderr(Stdio::piped());
    let reason = match output.output() {
        Ok(output) if output.status.success() => return Some(recording),
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    let reason = reason
        .lines()
        .next()
        .unwrap_or("no reason given")
        .to_owned();
    need(Feature::Perf, Err(format!("{options:?}: {reason}")))
}

/// Names of types in `perf report --stats`.
const TYPES: [(&str, u32); 24] = [
    ("MMAP", 1),
    ("LOST", 2),
    ("COMM", 3),
    ("EXIT", 4),
    ("THROTTLE", 5),
    ("UNTHROTTLE", 6),
    ("FORK", 7),
    ("READ", 8),
    ("SAMPLE", 9),
    ("MMAP2", 10),
    ("LOST_SAMPLES", 13),
    ("SWITCH", 14),
    ("NAMESPACES", 16),
    ("KSYMBOL", 17),
    ("BPF_EVENT", 18),
    ("CGROUP", 19),
    ("ATTR", 64),
    ("FINISHED_ROUND", 68),
    ("ID_INDEX", 69),
    ("THREAD_MAP", 73),
    ("CPU_MAP", 74),
    ("EVENT_UPDATE", 78),
    ("FEATURE", 80),
    ("FINISHED_INIT", 82),
];

/// Counts by type as perf prints them.
fn perf_counts(stats: &str) -> BTreeMap<u32, u64> {
    let whole = stats
        .lines()
        .skip_while(|line| !line.contains("Aggregated"));
    let lines = whole.skip(1).take_while(|line| !line.contains("stats:"));
    let counts = lines.filter_map(|line| {
        let (name, count) = line.split_once(" events:")?;
        let (_, ty) = TYPES.iter().find(|(known, _)| *known == name.trim())?;
        let count = count.split_whitespace().next()?.parse().ok()?;
        Some((*ty, count))
    });
    counts.collect()
}

fn our_counts(reader: &mut Reader) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    while let Some(record) = reader.next_record().unwrap() {
        let known = TYPES.iter().any(|&(_, ty)| ty == record.ty);
        if known {
            *counts.entry(record.ty).or_insert(0) += 1;
        }
    }
    assert!(reader.faults().is_empty(), "{:?}", reader.faults());
    counts
}

fn check_counts(name: &str, options: &[&str]) {
    let Some(recording) = record(name, options) else {
        return;
    };
    let Some(stats) = recording.perf(&["report", "--stats"]) else {
        return;
    };
    let expected = perf_counts(&stats);
    assert!(expected.contains_key(&9), "{stats}");
    assert_eq!(our_counts(&mut recording.reader()), expected, "{stats}");
}

#[test]
fn counts_of_a_plain_file() {
    check_counts("plain", &["-e", "cpu-clock", "-F", "1997"]);
}

#[test]
fn counts_of_a_compressed_file() {
    check_counts("zstd", &["-z", "-e", "cpu-clock", "-F", "1997", "-g"]);
}

#[test]
fn counts_of_a_stream() {
    check_counts("pipe", &["-e", "cpu-clock", "-F", "1997", "-o", "-"]);
}

#[test]
fn counts_of_the_whole_system() {
    check_counts(
        "system",
        &["-a", "-g", "-e", "sched:sched_switch", "-e", "cpu-clock"],
    );
}

#[test]
fn counts_of_switch_records() {
    check_counts(
        "switches",
        &["--switch-events", "--namespaces", "-e", "cpu-clock"],
    );
}

/// Lengths of call chains, as `perf report -D` prints them.
#[test]
fn call_chains() {
    let Some(recording) = record("chains", &["-e", "cpu-clock", "-F", "1997", "-g"]) else {
        return;
    };
    let Some(dump) = recording.perf(&["report", "-D"]) else {
        return;
    };
    let lengths = dump
        .lines()
        .filter_map(|line| line.split_once("FP chain: nr:"));
    let expected: Vec<usize> = lengths
        .map(|(_, length)| length.trim().parse().unwrap())
        .collect();
    let mut found = Vec::new();
    let mut reader = recording.reader();
    while let Some(record) = reader.next_record().unwrap() {
        if let RecordBody::Sample(sample) = record.body {
            found.push(sample.callchain.len());
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
}

/// Registers and stacks of user mode.
#[test]
fn stack_dumps() {
    let options = ["-e", "cpu-clock", "-F", "499", "--call-graph", "dwarf"];
    let Some(recording) = record("dwarf", &options) else {
        return;
    };
    let Some(dump) = recording.perf(&["report", "-D"]) else {
        return;
    };
    let sizes = dump
        .lines()
        .filter_map(|line| line.split_once("ustack: size "));
    let sizes = sizes.filter_map(|(_, rest)| rest.split(',').next()?.parse().ok());
    let expected: Vec<usize> = sizes.collect();
    let registers = dump.lines().filter(|line| line.contains("user regs: mask"));
    let expected_registers = registers.filter(|line| line.contains("64-bit")).count();
    let mut found = Vec::new();
    let mut registers = 0;
    let mut reader = recording.reader();
    while let Some(record) = reader.next_record().unwrap() {
        if let RecordBody::Sample(sample) = record.body {
            let extras = sample.extras().unwrap_or_default();
            let stack = extras.user_stack;
            found.extend(stack.map(|stack| stack.bytes.len()));
            let is_wide = extras.user_registers.is_some_and(|found| found.abi == 2);
            registers += usize::from(is_wide);
        }
    }
    assert_eq!(found, expected);
    assert_eq!(registers, expected_registers);
}

/// One line per switch, as `perf script` prints it, in order of time over all CPUs.
#[test]
fn switches_in_order_with_their_fields() {
    let options = ["-a", "-e", "sched:sched_switch", "-m", "2M"];
    let Some(recording) = record("sched", &options) else {
        return;
    };
    let fields = ["script", "--ns", "-F", "cpu,time,event,trace"];
    let Some(script) = recording.perf(&fields) else {
        return;
    };
    let expected: Vec<String> = script.lines().map(perf_switch).collect();
    let mut reader = recording.reader();
    let endian = reader.endian();
    let format = reader
        .features()
        .formats
        .iter()
        .find(|f| f.name == "sched_switch");
    let format = format.expect("the format is in the file").clone();
    let states = format.switch_states().expect("the format names the states");
    let field = |name: &str| format.field(name).unwrap();
    let mut found = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        let RecordBody::Sample(sample) = record.body else {
            continue;
        };
        let number = |name: &str| field(name).read_i64(sample.raw, endian).unwrap();
        let state = number("prev_state").cast_unsigned();
        let preempted = states.preempted.is_some_and(|bit| state & bit != 0);
        let time = record.time_ns.unwrap();
        found.push(format!(
            "{} {}.{:09} {} {}{} {}",
            record.cpu.unwrap(),
            time / 1_000_000_000,
            time % 1_000_000_000,
            number("prev_pid"),
            states.letter(state),
            if preempted { "+" } else { "" },
            number("next_pid"),
        ));
    }
    assert!(!found.is_empty());
    assert_eq!(found, expected);
}

/// Extracts CPU, time, thread, state and next thread from a line of `perf script`.
fn perf_switch(line: &str) -> String {
    let after = |key: &str| {
        let (_, rest) = line.split_once(key).unwrap();
        rest.split_whitespace().next().unwrap()
    };
    let cpu: u32 = after("[").trim_end_matches(']').parse().unwrap();
    let time = after("]").trim_end_matches(':');
    let (previous, next) = (after(" prev_pid="), after(" next_pid="));
    format!("{cpu} {time} {previous} {} {next}", after(" prev_state="))
}

fn check_header(recording: &Recording, path: &Path) {
    let Some(header) = recording.perf(&["report", "--header-only"]) else {
        return;
    };
    let line = |key: &str| {
        let lines = header.lines().map(|line| line.trim_start_matches("# "));
        let mut values = lines.filter_map(|line| line.split_once(" : "));
        values
            .find(|(k, _)| k.trim() == key)
            .map(|(_, value)| value.trim().to_owned())
    };
    let reader = Reader::open(path).unwrap();
    let features = reader.features();
    assert_eq!(features.hostname, line("hostname"));
    assert_eq!(features.os_release, line("os release"));
    assert_eq!(features.arch, line("arch"));
    assert_eq!(features.cpu_name, line("cpudesc"));
    assert_eq!(features.cpu_id, line("cpuid"));
    assert_eq!(features.version, line("perf version"));
    assert_eq!(
        features.cpus_online.map(|n| n.to_string()),
        line("nrcpus online")
    );
    let memory = features
        .memory_bytes
        .map(|bytes| format!("{} kB", bytes / 1024));
    assert_eq!(memory, line("total memory"));
    assert!(features.command_line.contains(&"--call-graph".to_owned()));
    assert_eq!(features.clock_data.map(|clock| clock.clockid), Some(1));
    let [event] = reader.events() else {
        panic!("one event")
    };
    assert_eq!(event.name.as_deref(), Some("cpu-clock"));
    assert_eq!((event.attr.clock(), event.attr.period), (Some(1), 499));
    assert!(event.attr.is_frequency() && event.attr.is_cpu_clock());
}

#[test]
fn the_header() {
    let options = [
        "-e",
        "cpu-clock",
        "-F",
        "499",
        "--call-graph",
        "fp",
        "-k",
        "CLOCK_MONOTONIC",
    ];
    if let Some(recording) = record("header", &options) {
        check_header(&recording, &recording.file());
    }
}
