//! Several recordings of one process that share what is loaded: each has what happened meanwhile, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use whyslow_record::{DropReason, Missing, RecordReport, Settings, Standby};
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, missing, recorder};

const STAT: u8 = 2;
/// Where the payload of `sched:sched_switch` has the thread that leaves.
const PREVIOUS: std::ops::Range<usize> = 24..28;

/// A shell that runs through all rounds and executes the lines it gets.
struct Shell {
    child: Child,
    lines: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Shell {
    fn start(folder: &Path) -> Self {
        let script = "cd \"$1\" && while read -r line; do eval \"$line\"; echo; done";
        let mut child = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (lines, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let answers = BufReader::new(answers);
        Self {
            child,
            lines,
            answers,
        }
    }

    /// Has it wait so many times for a program that sleeps.
    fn wait(&mut self, times: u64) {
        let line = format!("i=0; while [ $i -lt {times} ]; do sleep 0.01; i=$((i+1)); done\n");
        self.lines.write_all(line.as_bytes()).unwrap();
        self.answers.read_line(&mut String::new()).unwrap();
    }

    /// Has it ask so many times whether a file is there.
    fn ask(&mut self, file: &str, times: u64) {
        let line = format!("i=0; while [ $i -lt {times} ]; do [ -e {file} ]; i=$((i+1)); done\n");
        self.lines.write_all(line.as_bytes()).unwrap();
        self.answers.read_line(&mut String::new()).unwrap();
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a recording says that a process did with files of the folder: by name and operation, how often.
fn asked(recording: &Recording, pid: u32) -> BTreeMap<(String, u8), u64> {
    let mut asked = BTreeMap::new();
    for (_, _, name, call) in recording.file_calls.iter().filter(|calls| calls.0 == pid) {
        let path = String::from_utf8_lossy(&name.path);
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        *asked.entry((name, call.operation)).or_default() += call.count;
    }
    asked
}

/// The kernel's numbers of the eBPF programs that this process has loaded.
fn programs() -> BTreeSet<String> {
    let entries = fs::read_dir("/proc/self/fdinfo").unwrap();
    let texts = entries.filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok());
    let numbers = texts.filter_map(|text| {
        let mut lines = text.lines();
        lines
            .find(|line| line.starts_with("prog_id:"))
            .map(str::to_owned)
    });
    numbers.collect()
}

/// How many eBPF objects and events this process has open. Other tests beside it open and close files.
fn descriptors() -> usize {
    let entries = fs::read_dir("/proc/self/fd").unwrap();
    let links = entries.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    let is_ours = |link: &PathBuf| {
        let name = link.to_string_lossy();
        name.contains("bpf") || name.contains("perf_event")
    };
    links.filter(is_ours).count()
}

/// One round, in which the program does what is known. A round that begins too late or ends too early for that, or in
/// which something is lost, is made again.
fn round(scratch: &Scratch, standby: &mut Standby, shell: &mut Shell, number: u64) -> Recording {
    let output = scratch.path("round.data");
    for attempt in 0..10 {
        let own = format!("round-{number}-{attempt}");
        let settings = Settings {
            replace_output: true,
            ring_bytes: 32 << 20,
            ..Settings::new(&output)
        };
        let recorder = recorder(settings).unwrap();
        let report = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(500));
                shell.ask(&format!("begin-{own}"), 1);
                shell.ask(&own, 100 * number);
                shell.ask("shared", 3);
                shell.ask(&format!("end-{own}"), 1);
            });
            recorder.run_round(Duration::from_secs(2 + attempt), Some(standby))
        });
        let report = report.unwrap();
        // Of no round.
        shell.ask("between", 50);
        let recording = Recording::read(&output);
        let asked = asked(&recording, shell.child.id());
        let is_whole = ["begin", "end"]
            .iter()
            .all(|edge| asked.contains_key(&(format!("{edge}-{own}"), STAT)));
        if !is_whole || report.lost() > 0 {
            println!("again: {asked:?} {report:?}");
            continue;
        }
        let expected = [
            (format!("begin-{own}"), 1),
            (own.clone(), 100 * number),
            ("shared".to_owned(), 3),
            (format!("end-{own}"), 1),
        ];
        let mut stats = asked;
        stats.retain(|(_, operation), _| *operation == STAT);
        let expected = expected.map(|(name, count)| ((name, STAT), count));
        assert_eq!(stats, BTreeMap::from(expected));
        assert_eq!(missing(&report), Vec::<&Missing>::new());
        return recording;
    }
    panic!("no round was whole");
}

#[test]
fn each_round_has_what_happened_in_it_and_the_programs_are_loaded_once() {
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let before = descriptors();
    let mut shell = Shell::start(&scratch.0);
    let mut standby = Standby::default();
    let mut loaded = Vec::new();
    let mut open = Vec::new();
    for number in 1..=3 {
        let recording = round(&scratch, &mut standby, &mut shell, number);
        let pid = shell.child.id();
        let leaves = |bytes: &[u8]| bytes[PREVIOUS] == pid.to_ne_bytes();
        let mut switches = recording.raws.iter();
        assert!(
            switches.any(|raw| raw.event == "sched:sched_switch" && leaves(&raw.bytes)),
            "it waits for its input"
        );
        assert!(
            recording.states.iter().any(|state| state.tid == pid),
            "it was there at the start"
        );
        loaded.push(programs());
        open.push(descriptors());
    }
    assert!(!loaded[0].is_empty() && open[0] > 0);
    assert!(loaded.iter().all(|programs| *programs == loaded[0]));
    assert_eq!(open, [open[0]; 3]);
    drop(standby);
    drop(shell);
    assert_eq!(programs(), BTreeSet::new());
    assert_eq!(descriptors(), before);
}

/// How often the program, which waits, is switched away from in a round that lasts so long.
fn switches_of(
    shell: &mut Shell,
    (settings, standby): (&Settings, &mut Standby),
    seconds: u64,
) -> Option<(usize, RecordReport)> {
    let recorder = recorder(settings.clone())?;
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(500));
            shell.wait(50);
        });
        recorder.run_round(Duration::from_secs(seconds), Some(standby))
    });
    let pid = shell.child.id().to_ne_bytes();
    let raws = Recording::read(&settings.output).raws;
    let switches = raws.iter().filter(|raw| raw.event == "sched:sched_switch");
    let leaves = switches.filter(|raw| raw.bytes[PREVIOUS] == pid).count();
    Some((leaves, report.unwrap()))
}

#[test]
fn a_round_has_all_switches_after_one_whose_stacks_were_limited() {
    let scratch = Scratch::new();
    let mut shell = Shell::start(&scratch.0);
    let mut standby = Standby::default();
    let settings = Settings {
        replace_output: true,
        use_bpf: false,
        sample_hz: 0,
        stacks_per_second: 1,
        ring_bytes: 32 << 20,
        ..Settings::new(scratch.path("a.data"))
    };
    let mut round = |seconds| switches_of(&mut shell, (&settings, &mut standby), seconds);
    let Some((_, report)) = round(2) else {
        return;
    };
    let mut dropped = report.dropped_stacks.iter();
    assert!(dropped.any(|stacks| stacks.reason == DropReason::Rate));
    // On a busy machine, a round may be too short.
    let mut rounds = [3, 6, 12].into_iter().filter_map(round);
    assert!(rounds.any(|(leaves, _)| leaves > 25));
}
