//! Marks that programs set.

use std::ffi::OsStr;

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, program, recorded_whole};

/// More marks than there are rows of single calls about files, set by one process with one text; and others.
const SCRIPT: &str = r#"
test -e '/dev/null/whyslow-mark/first/of it'
i=0
while [ $i -lt 3000 ]; do
    test -e /dev/null/whyslow-mark/again
    test -e /dev/null/whyslow-marks
    test -e /dev/null/whyslow-mark/
    i=$((i+1))
done
true 2>/dev/null </dev/null/whyslow-mark/opened%0a
sh -c 'test -e "/dev/null/whyslow-mark/last=1"; true'
true
"#;

fn marked(set: impl Fn(&mut Settings)) -> Option<(Recording, whyslow_record::RecordReport)> {
    program()?;
    if !has(Feature::Bpf) {
        return None;
    }
    let scratch = Scratch::new();
    let output = scratch.path("marks.data");
    let mut settings = Settings::new(&output);
    set(&mut settings);
    let command = ["sh", "-c", SCRIPT].map(OsStr::new);
    let report = recorded_whole(&settings, &command)?;
    Some((Recording::read(&output), report))
}

fn every_mark_is_recorded_once(recording: &Recording, report: &whyslow_record::RecordReport) {
    let pid = recording.info("command_pid").unwrap().parse().unwrap();
    let marks = recording.marks.iter();
    let own: Vec<_> = marks.filter(|(mark, _)| mark.descends).collect();
    let texts: Vec<&[u8]> = own.iter().map(|(mark, _)| mark.text.as_slice()).collect();
    assert_eq!(texts.len(), 3003);
    assert_eq!(texts[0], b"first/of it");
    assert!(texts[1..3001].iter().all(|text| *text == b"again"));
    assert_eq!(texts[3001..], [b"opened%0a".as_slice(), b"last=1"]);
    assert!(
        own[..3002]
            .iter()
            .all(|(mark, _)| (mark.pid, mark.tid) == (pid, pid))
    );
    assert_ne!(own[3002].0.pid, pid);
    assert!(own.iter().map(|(_, time_ns)| time_ns).is_sorted());
    let seen = report.marks.as_ref().unwrap();
    let seen: Vec<_> = seen
        .iter()
        .map(|mark| (mark.time_ns, mark.text.as_slice()))
        .collect();
    let own: Vec<_> = own
        .iter()
        .map(|(mark, ns)| (*ns, mark.text.as_slice()))
        .collect();
    assert_eq!(seen, own);
    assert_eq!(recording.info("lost_marks"), None);
}

#[test]
fn every_mark_is_recorded_and_is_no_call_about_a_file() {
    // Nothing else has a row of its own.
    let Some((recording, report)) = marked(|settings| settings.file_rows_per_second = 1) else {
        return;
    };
    every_mark_is_recorded_once(&recording, &report);
    let about = |path: &[u8]| {
        let calls = recording.file_calls.iter();
        calls.filter(|(_, _, file, _)| file.path == path).count()
    };
    assert_eq!(about(b"/dev/null/whyslow-mark/again"), 0);
    assert_ne!(about(b"/dev/null/whyslow-marks"), 0, "no mark");
}

#[test]
fn marks_need_no_files() {
    let Some((recording, report)) = marked(|settings| settings.record_files = false) else {
        return;
    };
    every_mark_is_recorded_once(&recording, &report);
}

#[test]
fn too_many_marks_are_counted_as_lost() {
    program();
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let output = scratch.path("many.data");
    // Whatever the speed of the machine: what is not in the file was lost.
    const MANY: u64 = 60_000;
    let script = format!(
        "i=0; while [ $i -lt {MANY} ]; do test -e /dev/null/whyslow-mark/x; i=$((i+1)); done"
    );
    let command = ["sh", "-c", &script].map(OsStr::new);
    let Some(_) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    let recording = Recording::read(&output);
    let own = recording.marks.iter().filter(|(mark, _)| mark.descends);
    let own = own.count() as u64;
    let lost = recording
        .info("lost_marks")
        .map_or(0, |lost| lost.parse().unwrap());
    assert_eq!(own + lost, MANY);
}

#[test]
fn without_system_calls_there_are_no_marks() {
    program();
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let settings = Settings {
        count_system_calls: false,
        record_files: false,
        ..Settings::new(scratch.path("none.data"))
    };
    let command = ["sh", "-c", SCRIPT].map(OsStr::new);
    let Some(report) = recorded_whole(&settings, &command) else {
        return;
    };
    assert_eq!(report.marks, None);
    let missing = report.missing.iter().map(|missing| missing.what.as_str());
    let all: Vec<_> = missing.collect();
    assert!(all.iter().any(|what| what.contains("marks")), "{all:?}");
}

/// The kernel keeps 8 bits of an exit code.
#[test]
fn the_whole_exit_code_of_the_command_is_seen() {
    program();
    if !has(Feature::Bpf) || !has(Feature::Perl) {
        return;
    }
    let scratch = Scratch::new();
    let settings = Settings::new(scratch.path("codes.data"));
    let code = |script: &str| {
        // What another program ends with does not count.
        let script = format!("perl -e 'exit 3000'; {script}");
        let command = ["sh", "-c", &script].map(OsStr::new);
        let mut settings = settings.clone();
        settings.replace_output = true;
        recorded_whole(&settings, &command).map(|report| report.long_exit_code)
    };
    let Some(long) = code("exec perl -e 'exit 1234'") else {
        return;
    };
    assert_eq!(long, Some(1234));
    assert_eq!(code("exit 77"), Some(None));
    assert_eq!(code("kill -9 $$"), Some(None));
}
