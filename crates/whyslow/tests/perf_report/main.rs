//! The same perf.data gives the same samples per function as `perf report`, exclusive
//! (`--no-children`) and inclusive (`--children`, recursion once); what differs has a reason.
//!
//! The program uses a given CPU time, so that there are as many samples on machines of any speed.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "a test may stop, and says what it saw"
)]

mod compare;
mod kernel;
mod ours;
mod perf;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use compare::{Comparison, Reason};
use perf::Key;
use whyslow_testenv::{Feature, has, need};

/// A directory with the program to record, gone when the test ends.
struct Place(PathBuf);

impl Place {
    /// Compiles the program; `None`, with the reason printed, where that cannot be done.
    fn new(name: &str) -> Option<Self> {
        if !has(Feature::Perf) || !has(Feature::Cc) {
            return None;
        }
        let name = format!("perf-report-{}-{name}", std::process::id());
        let place = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        fs::create_dir_all(&place.0).expect("a directory");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perf_report/program.c");
        let options = ["-O1", "-g", "-pthread", "-fno-omit-frame-pointer"];
        let mut compiler = Command::new("cc");
        compiler.args(options).arg("-fno-optimize-sibling-calls");
        let done = compiler.arg("-o").arg(place.program()).arg(source).output();
        let done = done.expect("a compiler");
        assert!(done.status.success(), "{done:?}");
        Some(place)
    }

    fn program(&self) -> PathBuf {
        self.0.join("program")
    }

    fn file(&self) -> PathBuf {
        self.0.join("perf.data")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Records the program with these options and compares.
fn check(name: &str, options: &[&str], allowed: &[Reason]) {
    let Some(place) = Place::new(name) else {
        return;
    };
    let file = place.file();
    let options = [&TIMES, options].concat();
    let said = perf::record(&file, &options, &place.program())
        .and_then(|()| Ok((perf::report(&file, true)?, perf::script(&file)?)));
    let Some((report, samples)) = need(Feature::Perf, said) else {
        return;
    };
    assert!(samples.len() > 20, "{} samples", samples.len());
    let ours = ours::ask(&ours::extract(&file));
    let comparison = Comparison {
        report: &report,
        samples: &samples,
        ours: &ours,
        is_unwound: options.contains(&DUMPS),
    };
    let differences = comparison.check();
    println!(
        "{name}: {} samples, {} functions",
        samples.len(),
        ours.counts.len()
    );
    for ((reason, theirs, named), frames) in &differences {
        println!("{reason:?}: {frames} frames: {theirs:?} is {named:?}");
        assert!(
            allowed.contains(reason) || *reason == Reason::OtherProgram,
            "{reason:?}: {theirs:?} is {named:?}"
        );
    }
}

use Reason::{
    Alias, Astray, BeforeExec, CallAtEnd, Demangled, EndOfStack, Gone, KernelName, MemoryFile,
    NoUserHalf, OnlyOurs, Plt, ReportUnnamed, Unnamed,
};

/// How perf unwinds itself.
const DUMPS: &str = "dwarf,16384";
/// Build ids in the records: perf 6.1 stops with a failed assertion over files without, recorded
/// while another recorder asked for them.
const TIMES: [&str; 5] = ["-e", "cpu-clock", "-F", "399", "--buildid-mmap"];

#[test]
fn frame_pointers() {
    let all = [
        KernelName, Unnamed, CallAtEnd, Alias, Plt, Astray, NoUserHalf,
    ];
    check("frame-pointers", &["-g"], &all);
}

/// Without stacks there is only the leaf.
#[test]
fn no_stacks() {
    let Some(place) = Place::new("no-stacks") else {
        return;
    };
    let file = place.file();
    let recorded = perf::record(&file, &TIMES, &place.program());
    let report = recorded.and_then(|()| perf::report(&file, false));
    let Some(report) = need(Feature::Perf, report) else {
        return;
    };
    let mut theirs: BTreeMap<Key, u64> = BTreeMap::new();
    for ((object, symbol), rows) in report {
        let object = object.replace("[kernel.kallsyms]", "[kernel]");
        let own: u64 = rows.iter().map(|row| row.exclusive).sum();
        *theirs.entry((object, symbol)).or_default() += own;
    }
    let ours = ours::ask(&ours::extract(&file)).counts.into_iter();
    let ours = ours.map(|(key, counts)| (key, counts.exclusive));
    let mut ours: BTreeMap<Key, u64> = ours.filter(|(_, own)| *own > 0).collect();
    // Programs of another recorder come and go; the kernel names only those that are there.
    for all in [&mut ours, &mut theirs] {
        all.retain(|(_, symbol), _| !symbol.starts_with("bpf_prog_"));
    }
    assert_eq!(ours, theirs);
}

#[test]
fn stack_dumps() {
    let all = [
        KernelName, Unnamed, CallAtEnd, Alias, Plt, EndOfStack, NoUserHalf,
    ];
    check("stack-dumps", &["--call-graph", DUMPS], &all);
}

#[test]
fn whole_machine() {
    let all = [
        KernelName,
        Unnamed,
        CallAtEnd,
        Alias,
        Plt,
        Demangled,
        OnlyOurs,
        MemoryFile,
        ReportUnnamed,
        Astray,
        NoUserHalf,
        Gone,
        BeforeExec,
    ];
    // Other programs come and go, and compilers replace files between one reading and the next:
    // perf then disagrees with itself. A machine at rest needs one attempt.
    for attempt in 1.. {
        let compared = std::panic::catch_unwind(|| check("whole-machine", &["-a", "-g"], &all));
        match compared {
            Ok(()) => return,
            Err(why) if attempt == 3 => std::panic::resume_unwind(why),
            Err(_) => println!("attempt {attempt} failed"),
        }
    }
}
