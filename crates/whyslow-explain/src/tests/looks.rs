//! Waits that were not recorded, but seen by looks into `/proc`.

use whyslow_model::Capability;
use whyslow_model::Table;
use whyslow_model::tables::FactRow;
use whyslow_testkit::Literal;

use super::{explain_pid, process, says};

/// A command of 1000 ms that was off the CPU for 900, with what looks found.
fn answered(facts: &[(&str, &str)]) -> String {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.play(main, "R50 O900 R50");
    trace.capabilities = whyslow_model::Capabilities::default();
    for what in [Capability::Switches, Capability::ProcessEvents] {
        trace.capabilities.set(what);
    }
    let rows = facts.iter().map(|(key, value)| FactRow {
        subject: "recording".to_owned(),
        key: (*key).to_owned(),
        value: (*value).to_owned(),
    });
    trace.tables.push(Table::from_rows(rows));
    explain_pid(&trace, 100)
}

#[test]
fn what_was_seen_in_proc_is_said_with_how_often() {
    let answer = answered(&[
        ("sampled_looks", "100"),
        ("sampled_wait.0", "60 S 230 hrtimer_nanosleep"),
        ("sampled_process.0", "app"),
        ("sampled_wait.1", "30 S 0 anon_pipe_read"),
        ("sampled_process.1", "helper"),
        ("sampled_object.1", "pipe:[77]"),
        ("sampled_wait.2", "10 R - -"),
    ]);
    says(
        &answer,
        &[
            "1 It slept: 60 % of the time  likely",
            "Sampled: 60 of 100 looks into /proc found it in this state.",
            "2 helper waited for the other end of a pipe: 30 % of the time  likely",
        ],
    );
    assert!(!answer.contains("was not recorded"), "{answer}");
    // What could be seen is not said to be missing.
    says(&answer, &["Not recorded: who ended its waits"]);
    assert!(!answer.contains("what it waited for and"), "{answer}");
}

#[test]
fn where_the_kernel_hides_its_functions_the_call_says_it() {
    let looks = |what: &str, object: &str| {
        answered(&[
            ("sampled_looks", "50"),
            ("sampled_wait.0", what),
            ("sampled_object.0", object),
        ])
    };
    says(
        &looks("45 S 202 -", ""),
        &["waited for another thread (futex)", "possible"],
    );
    says(
        &looks("45 S 45 -", "socket:[5]"),
        &["waited for data from a socket"],
    );
    says(
        &looks("45 D 0 -", "/data/big.bin"),
        &["waited for the disk", "big.bin"],
    );
    says(
        &looks("45 S 73 -", "/data/lock"),
        &["waited for a lock on a file"],
    );
    says(
        &looks("45 S 300 nothing_known", ""),
        &["waited in the system call fanotify_init"],
    );
}

#[test]
fn a_few_looks_say_nothing() {
    let answer = answered(&[("sampled_looks", "4"), ("sampled_wait.0", "4 S 230 -")]);
    assert!(!answer.contains("slept"), "{answer}");
}
