//! `record` and `run`; they need a kernel that lets us record.

use std::fs;

use whyslow_testenv::{Feature, has};

use crate::harness::{Place, Said};

#[test]
fn a_command_keeps_its_output_and_exit_code() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let said = place.run(&["run", "--", "sh", "-c", "echo out; exit 7"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(7), "out\n"),
        "{said:?}"
    );
    let names = place.names();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(
        names[0].starts_with("sh-") && names[0].ends_with(".whyslow"),
        "{names:?}"
    );
}

/// Two of them may begin within a second, which is all that their names tell.
#[test]
fn a_name_that_is_taken_gets_a_number() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let script = "now=$(date +%s); i=0; while [ $i -lt 600 ]; do \
                  date -u -d @$((now + i)) +true-%Y%m%d-%H%M%S.data; i=$((i+1)); done | xargs touch";
    let mut taken = std::process::Command::new("sh");
    let taken = taken.args(["-c", script]).current_dir(place.path("."));
    assert!(taken.status().expect("a shell").success());
    let mut command = place.whyslow(&["run", "--", "true"]);
    let output = command.env("TZ", "UTC").output().expect("it runs");
    let said = Said::of(output);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names = place.names();
    let made: Vec<_> = names
        .iter()
        .filter(|name| !name.ends_with(".data"))
        .collect();
    assert!(
        made.len() == 1 && made[0].ends_with("-2.whyslow"),
        "{made:?}"
    );
}

/// Recordings contain the command lines of all users, and addresses of the kernel.
#[test]
fn what_is_recorded_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let said = place.run(&["run", "--keep-trace", "--", "true"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names = place.names();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        let meta = place.path(&name).metadata().expect("it is there");
        let wanted = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(meta.permissions().mode() & 0o777, wanted, "{name}");
    }
}

#[test]
fn whose_a_process_was_is_known_after_its_end() {
    use std::os::unix::fs::MetadataExt;
    if !has(Feature::Recording) || !has(Feature::Bpf) {
        return;
    }
    let place = Place::new();
    // No other process has this name.
    let name = format!("own{}", std::process::id());
    fs::copy("/bin/true", place.path(&name)).expect("a copy");
    let program = place.path(&name).display().to_string();
    let said = place.run(&["run", "--", &program]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let mut names = place.names().into_iter();
    let extract = names.find(|name| name.ends_with(".whyslow"));
    let extract = extract.expect("an extract");
    let own = place.path(&extract).metadata().expect("it is there").uid();
    let asked = [
        "processes",
        &extract,
        "-p",
        &name,
        "-c",
        "user",
        "-f",
        "csv",
    ];
    let said = place.run(&asked);
    assert_eq!(said.out, format!("user\r\n{own}\r\n"), "{said:?}");
}

#[test]
fn a_command_that_is_killed() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let said = place.run(&["run", "--", "sh", "-c", "kill -TERM $$"]);
    assert_eq!(said.code, Some(128 + 15), "{said:?}");
}

#[test]
fn a_test_case_is_named_after_its_time() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let said = place.run(&[
        "run",
        "--name",
        "nap",
        "--keep-trace",
        "-o",
        "why.txt",
        "--",
        "sleep",
        "0.05",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let names = place.names();
    assert_eq!(names.len(), 3, "{names:?}");
    let name = names
        .iter()
        .find(|name| name.ends_with(".whyslow"))
        .expect("an extract");
    let ms = name
        .strip_prefix("nap_")
        .and_then(|rest| rest.split_once("ms"))
        .map(|(ms, _)| ms);
    let ms: u64 = ms
        .and_then(|ms| ms.parse().ok())
        .expect("milliseconds in the name");
    assert!(ms >= 50, "{name}");
    assert!(
        names.contains(&name.replace(".whyslow", ".data")),
        "{names:?}"
    );
    let why = fs::read_to_string(place.path("why.txt")).expect("an answer");
    assert!(why.starts_with("sleep 0.05 took "), "{why}");
    // Other programs may have used the CPUs, which is said, too.
    let slept = ["Nothing stands out: it slept for ", "It slept: "];
    assert!(slept.iter().any(|words| why.contains(words)), "{why}");
    let stats = place.run(&["stats", "--format", "csv"]);
    assert!(stats.out.contains("nap"), "{stats:?}");
}

#[test]
fn what_the_machine_does_now() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let mut busy = std::process::Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .expect("a shell");
    let pid = busy.id().to_string();
    let said = place.run(&["now", "--for", "500ms", "--format", "json"]);
    let about_one = place.run(&["now", "--for", "500ms", "--process", &pid]);
    let ended = busy.kill().and_then(|()| busy.wait());
    ended.expect("it was there to the end");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains(r#""machine_ns":"#), "{said:?}");
    assert!(said.out.contains(r#"{"name":"sh","cpu_ns":"#), "{said:?}");
    assert_eq!(about_one.code, Some(0), "{about_one:?}");
    assert!(about_one.out.contains("took "), "{about_one:?}");
    let names = place.names();
    assert_eq!(names.len(), 2, "the extracts stay: {names:?}");
    for name in &names {
        assert!(name.starts_with("now-"), "{names:?}");
    }
    // An extract without a command is about the machine.
    let again = place.run(&["why", &names[0]]);
    assert!(again.out.starts_with("This machine, for "), "{again:?}");
}

#[test]
fn an_answer_for_a_program() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let by_option = [
        "run", "--format", "json", "-o", "why.txt", "--", "echo", "out",
    ];
    let by_suffix = ["run", "-o", "why.json", "--", "echo", "out"];
    for (words, file) in [(&by_option[..], "why.txt"), (&by_suffix, "why.json")] {
        let said = place.run(words);
        assert_eq!(
            (said.code, said.out.as_str()),
            (Some(0), "out\n"),
            "{said:?}"
        );
        let why = fs::read_to_string(place.path(file)).expect("an answer");
        assert!(
            why.starts_with("{\"schema\":1,\"command\":\"echo out\",\"wall_ns\":"),
            "{why}"
        );
        assert!(why.contains("\"findings\":["), "{why}");
    }
    let said = place.run(&["run", "--format", "json", "--", "sleep", "0.05"]);
    assert!(said.err.starts_with("{\"schema\":1,"), "{said:?}");
}

#[test]
fn the_extract_gives_the_same_answer_again() {
    if !has(Feature::Recording) {
        return;
    }
    // One that waits, and one that computes in functions without names, for which a package may have names.
    let computes = "timeout 0.3 md5sum /dev/zero; exit 0";
    for command in [&["sleep", "0.05"][..], &["sh", "-c", computes]] {
        let place = Place::new();
        let words = ["run", "-o", "first.txt", "--"];
        let said = place.run(&[&words, command].concat());
        assert_eq!(said.code, Some(0), "{said:?}");
        let names = place.names();
        let extract = names.iter().find(|name| name.ends_with(".whyslow"));
        let extract = extract.expect("an extract");
        let said = place.run(&["why", extract]);
        let first = fs::read_to_string(place.path("first.txt")).expect("an answer");
        assert_eq!((said.code, said.out), (Some(0), first));
    }
}

#[test]
fn commands_that_cannot_run() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    place.run(&["run", "no-such-command-here"]).fails(
        127,
        &[
            "whyslow: cannot run no-such-command-here: command not found",
            "hint: ",
        ],
    );
    place.write("text", b"hello");
    place.run(&["run", "./text"]).fails(
        126,
        &["whyslow: cannot run ./text: permission denied", "hint: "],
    );
    assert_eq!(place.names(), ["text"], "nothing is left behind");
}

#[test]
fn our_own_failures_do_not_look_like_the_commands() {
    let place = Place::new();
    assert_eq!(place.run(&["run", "--nonsense", "true"]).code, Some(125));
    assert_eq!(place.run(&["record", "--for", "never"]).code, Some(125));
    place.run(&["run", "--name", "a/b", "true"]).fails(
        125,
        &[
            "whyslow: \"a/b\" cannot be the name of a test case",
            "hint: ",
        ],
    );
    place.run(&["record", "--event", "nonsense", "true"]).fails(
        125,
        &["whyslow: \"nonsense\" is not a tracepoint", "hint: "],
    );
    place.write("taken.data", b"mine");
    if has(Feature::Recording) {
        let said: Said = place.run(&["record", "-o", "taken.data", "true"]);
        said.fails(
            125,
            &[
                "whyslow: cannot write taken.data: it already exists",
                "hint: ",
            ],
        );
    }
}

#[test]
fn an_extract_is_not_replaced_unasked() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    assert_eq!(
        place.run(&["record", "-o", "x.data", "--", "true"]).code,
        Some(0)
    );
    let said = place.run(&["extract", "x.data"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "x.whyslow\n"),
        "{said:?}"
    );
    place.run(&["extract", "x.data"]).fails(
        3,
        &["whyslow: cannot write x.whyslow: already exists", "hint: "],
    );
    assert_eq!(place.run(&["extract", "x.data", "--force"]).code, Some(0));
    assert_eq!(place.run(&["symbolize", "x.whyslow"]).code, Some(0));
    assert_eq!(place.names(), ["x.data", "x.whyslow"]);
}

#[test]
fn what_the_recorder_left_out_is_in_the_extract() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let script = "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done";
    let args = ["record", "--stack-rate", "1", "-o", "x.data", "sh", "-c"];
    let said = place.run(&[args.as_slice(), &[script]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let is_told =
        |line: &&str| line.starts_with("note: left out") || line.starts_with("note: cannot be had");
    let notes = said.err.lines().filter(is_told);
    let left_out: Vec<&str> = notes
        .filter_map(|line| line.rsplit_once(": "))
        .flat_map(|(_, what)| what.split(", "))
        .collect();
    let of_switches = left_out
        .iter()
        .any(|what| what.contains("stacks of sched:sched_switch"));
    assert!(of_switches, "{said:?}");
    let count = |what: &&str| -> u64 {
        let number = what.split(' ').next().unwrap_or_default().replace(',', "");
        number.parse().expect("a count")
    };
    let sum: u64 = left_out.iter().map(count).sum();

    assert_eq!(
        place.run(&["extract", "x.data", "--no-symbols"]).code,
        Some(0)
    );
    let args = ["problems", "x.whyslow", "--format", "csv"];
    let said = place.run(&[args.as_slice(), &["--columns", "kind,count"]].concat());
    let counted = said.out.lines().filter_map(|line| {
        let count = ["dropped-stacks,", "hidden-stacks,"].map(|kind| line.strip_prefix(kind));
        count.into_iter().flatten().next()?.parse::<u64>().ok()
    });
    let counted: u64 = counted.sum();
    // User halves whose other half is not there may come on top.
    assert!(counted >= sum, "{sum} of {said:?}");
}

#[test]
fn system_calls_are_counted_unless_they_shall_not() {
    if !has(Feature::Recording) || !has(Feature::Bpf) {
        return;
    }
    let place = Place::new();
    let work = "dd if=/dev/zero of=/dev/null bs=3 count=1000";
    let record = |name: &str, options: &[&str]| {
        let words: Vec<&str> = work.split(' ').collect();
        let args = [&["record", "-o", name], options, words.as_slice()].concat();
        assert_eq!(place.run(&args).code, Some(0));
        assert_eq!(place.run(&["extract", name, "--no-symbols"]).code, Some(0));
    };
    record("with.data", &[]);
    let columns = "call,result,calls,size_bytes";
    let args = ["syscalls", "with.whyslow", "--process", "dd", "--columns"];
    let said = place.run(&[&args[..], &[columns, "--format", "csv"]].concat());
    let of = |call: &str| -> (u64, u64) {
        let line = said.out.lines().find_map(|line| line.strip_prefix(call));
        let (calls, bytes) = line.expect("a row").split_once(',').expect("two");
        (
            calls.parse().expect("a count"),
            bytes.parse().expect("bytes"),
        )
    };
    // Loader and summary come on top; what they do is not a thousand calls.
    let (reads, writes) = (of("read,ok,"), of("write,ok,"));
    assert!(
        (1000..1100).contains(&reads.0) && reads.1 >= 3000,
        "{said:?}"
    );
    assert!(
        (1000..1100).contains(&writes.0) && writes.1 >= 3000,
        "{said:?}"
    );

    record("without.data", &["--no-syscalls"]);
    let said = place.run(&["syscalls", "without.whyslow"]);
    assert_eq!(said.code, Some(4), "{said:?}");
}

#[test]
fn calls_about_files_are_listed_and_parts_are_left_out() {
    if !has(Feature::Recording) || !has(Feature::Bpf) {
        return;
    }
    let place = Place::new();
    let record = |name: &str, options: &[&str]| {
        let work = [
            "sh",
            "-c",
            "echo text >before.txt; mv before.txt after.txt; cat after.txt",
        ];
        let args = [&["record", "-o", name], options, &["--"], &work[..]].concat();
        assert_eq!(place.run(&args).code, Some(0));
        assert_eq!(place.run(&["extract", name, "--no-symbols"]).code, Some(0));
    };
    let code = |question: &str, extract: &str| place.run(&[question, extract]).code;
    record("all.data", &["--file-list-rate", "1000000"]);
    let args = ["files", "all.whyslow", "--list", "--process", "mv;cat"];
    let columns = [
        "--columns",
        "operation,offset,size_bytes,path,to",
        "--format",
        "csv",
    ];
    let said = place.run(&[&args[..], &columns].concat());
    let has_line = |starts: &str, ends: &str| {
        let mut lines = said.out.lines();
        lines.any(|line| line.starts_with(starts) && line.ends_with(ends))
    };
    assert!(
        has_line("rename,,,", "/after.txt") && said.out.contains("/before.txt,"),
        "{said:?}"
    );
    assert!(has_line("read,0,5,", "/after.txt,"), "{said:?}");

    record("light.data", &["--profile", "light"]);
    assert_eq!(code("files", "light.whyslow"), Some(4));
    assert_eq!(code("syscalls", "light.whyslow"), Some(4));
    record("counts.data", &["--only", "files,samples"]);
    assert_eq!(code("files", "counts.whyslow"), Some(0));
    assert_eq!(
        place.run(&["files", "counts.whyslow", "--list"]).code,
        Some(4)
    );
    assert_eq!(code("disk", "counts.whyslow"), Some(4));
    assert_eq!(code("tcp", "counts.whyslow"), Some(4));
    let said = place.run(&["problems", "counts.whyslow"]);
    assert!(
        said.out
            .contains("requests to disks: they were not requested"),
        "{said:?}"
    );
    let said = place.run(&["record", "-o", "x.data", "--without", "air", "--", "true"]);
    assert_eq!(said.code, Some(125), "{said:?}");
    assert!(said.err.contains("file-list"), "{said:?}");
}

#[test]
fn a_redacted_extract_says_nothing_personal() {
    if !has(Feature::Recording) || !has(Feature::Bpf) {
        return;
    }
    let place = Place::new();
    let work = "echo text >Secret-plan.ini; cat Secret-plan.ini; cat Secret-plan.ini | wc -c";
    let said = place.run(&["record", "-o", "x.data", "--", "sh", "-c", work]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["extract", "x.data", "--no-symbols", "--redact"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for question in ["files", "processes", "threads", "waits", "problems"] {
        let said = place.run(&[question, "x.whyslow", "--format", "json"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(
            !said.out.contains("Secret") && !said.out.contains("plan"),
            "{}",
            said.out
        );
    }
    // The programs of the system keep their names, and files their extensions.
    let args = [
        "files",
        "x.whyslow",
        "--process",
        "cat",
        "--file",
        "*.ini",
        "--by",
        "operation",
    ];
    let said = place.run(
        &[
            &args[..],
            &["--format", "csv", "--columns", "operation,calls"],
        ]
        .concat(),
    );
    assert!(said.out.contains("read,"), "{said:?}");
}
