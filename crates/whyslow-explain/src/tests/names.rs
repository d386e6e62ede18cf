//! What is said of names that were looked up.

use whyslow_model::tables::{DnsQueryRow, LabelRow, NameLookupRow};
use whyslow_model::{LabelId, Table};

use super::connections::waits;
use super::*;

/// A program that waits for a name server twice for 400 ms, with what it asked.
fn looks_up(questions: Vec<DnsQueryRow>, calls: Vec<NameLookupRow>) -> Literal {
    let poll = "k:do_poll < k:do_sys_poll < poll < send_dg < getaddrinfo < look_up < main";
    let mut trace = waits(poll, &"R50 W400:wait<!@timer ".repeat(2), Vec::new());
    let text = |id, text: &str| LabelRow {
        id: LabelId::from_index(id).expect("few"),
        text: text.to_owned(),
    };
    trace.tables = objects::object("udp", "10.0.0.1:53", None);
    let labels = [
        text(0, "10.0.0.1"),
        text(1, "shop.example"),
        text(2, "img.example"),
        text(3, "shop.example.svc.test"),
    ];
    trace.tables.push(Table::from_rows(labels));
    trace.tables.push(Table::from_rows(questions));
    trace.tables.push(Table::from_rows(calls));
    trace
}

fn question(at_ms: i64, name: usize, response_code: Option<i32>) -> DnsQueryRow {
    DnsQueryRow {
        time_ns: at_ms * MS,
        process: Some(ProcessId::from_index(0).expect("few")),
        thread: Some(ThreadId::from_index(0).expect("few")),
        duration_ns: response_code.map(|_| 400 * MS),
        server: LabelId::from_index(0),
        name: LabelId::from_index(name),
        record_type: Some(1),
        response_code,
        answers: response_code.map(|_| 1),
        attempts: 1,
        flags: 0,
    }
}

#[test]
fn who_waits_for_a_name_server_is_told_the_name_and_the_server() {
    let dead = looks_up(
        vec![question(49, 1, None), question(499, 2, None)],
        Vec::new(),
    );
    says(
        &explain_pid(&dead, 100),
        &[
            "It waited for a name server (DNS): 80 % of the time",
            "It asked 10.0.0.1 for shop.example, and got no answer.",
            "It also looked up 1 other name.",
            "/etc/resolv.conf",
        ],
    );
    // A server that is only slow is not said to be dead.
    let rows = vec![question(49, 1, Some(0)), question(499, 1, Some(0))];
    let slow = explain_pid(&looks_up(rows, Vec::new()), 100);
    says(&slow, &["for shop.example 2 times, and got 2 answers."]);
    assert!(!slow.contains("resolv.conf"), "{slow}");
    // What is asked after the waits did not cause them.
    let later = explain_pid(&looks_up(vec![question(950, 1, None)], Vec::new()), 100);
    assert!(!later.contains("shop.example"), "{later}");
}

#[test]
fn a_look_up_by_the_c_library_tells_the_name_where_no_question_was_seen() {
    let call = |duration_ms: i64| NameLookupRow {
        time_ns: 49 * MS,
        process: Some(ProcessId::from_index(0).expect("few")),
        thread: Some(ThreadId::from_index(0).expect("few")),
        duration_ns: duration_ms * MS,
        name: LabelId::from_index(1),
        result: -3,
        record_type: None,
    };
    let answer = explain_pid(&looks_up(Vec::new(), vec![call(1001)]), 100);
    says(
        &answer,
        &["It looked up shop.example once, without an answer."],
    );
    // A server that has a failure of its own answers sooner than the library gives up.
    let answer = explain_pid(&looks_up(Vec::new(), vec![call(400)]), 100);
    says(&answer, &["It looked up shop.example once."]);
}

#[test]
fn search_domains_are_told_by_names_that_do_not_exist() {
    let mut rows = Vec::new();
    for at in [49, 60, 70, 499] {
        rows.push(question(at, 3, Some(3)));
    }
    rows.push(question(80, 1, Some(0)));
    rows.push(question(510, 1, Some(0)));
    let trace = looks_up(rows.clone(), Vec::new());
    says(
        &explain_pid(&trace, 100),
        &[
            "4 of 6 queries were for names that do not exist: shop.example and others with a search domain appended, such as svc.test.",
            "Their answers took 821 ms in all.",
            "ndots",
        ],
    );
    // A name that does not exist by itself has no such reason.
    rows.retain(|row| row.response_code == Some(3));
    let answer = explain_pid(&looks_up(rows, Vec::new()), 100);
    assert!(!answer.contains("ndots"), "{answer}");
}

#[test]
fn a_first_name_server_that_never_answers_is_told_with_the_one_that_does() {
    let to_second = |row: DnsQueryRow| DnsQueryRow {
        server: LabelId::from_index(2),
        duration_ns: Some(MS),
        ..row
    };
    let rows = |first: Option<i32>| {
        vec![
            question(49, 1, first),
            to_second(question(440, 1, Some(0))),
            question(499, 1, first),
            to_second(question(890, 1, Some(0))),
        ]
    };
    says(
        &explain_pid(&looks_up(rows(None), Vec::new()), 100),
        &[
            "It asked 10.0.0.1 2 times, got no answer, and waited 782 ms in all. img.example answers.",
            "Remove the nameserver line for 10.0.0.1 from /etc/resolv.conf, or move it below the one for img.example.",
        ],
    );
    // Both answer, or nobody does.
    let mut nobody = rows(None);
    nobody.iter_mut().for_each(|row| row.response_code = None);
    // It is waited for only for a moment.
    let mut short = rows(None);
    (short[1].time_ns, short[3].time_ns) = (60 * MS, 510 * MS);
    let alone = vec![question(49, 1, None)];
    for rows in [rows(Some(0)), alone, nobody, short] {
        let answer = explain_pid(&looks_up(rows, Vec::new()), 100);
        assert!(!answer.contains("Remove the nameserver line"), "{answer}");
    }
}

#[test]
fn the_name_server_that_was_asked_is_what_was_waited_for() {
    let mut trace = looks_up(
        vec![question(49, 1, Some(0)), question(499, 1, Some(0))],
        Vec::new(),
    );
    let main = ThreadId::from_index(0).expect("few");
    trace.waited_for(main, None, None);
    let all = findings(&trace, 100);
    let object = all[0].fact("object");
    assert_eq!(
        (all[0].cause.as_str(), object.is_some()),
        ("dns", true),
        "{all:?}"
    );
}
