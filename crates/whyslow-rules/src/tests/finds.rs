//! What rules find in synthetic extracts.

use whyslow_explain::finding::{Confidence, Shown, Value};
use whyslow_explain::words::{Content, Names, Shape, lines, machine_lines, sentence};
use whyslow_explain::{Answer, Explained, Finding, Target, explain, explain_machine};
use whyslow_model::tables::{FileCallRow, SingleFileCallRow};
use whyslow_model::{Capabilities, Capability, FileOperation, Named, Table};
use whyslow_testkit::{Literal, MS};

use super::*;

/// `app` (100) sleeps for 700 of 1,000 ms, two threads of what it started for 600 ms each, and `other` for 900 ms.
pub(super) fn trace() -> Literal {
    let mut trace = Literal::new(1000);
    trace.stack("nap", "k:do_nanosleep < nap < hold < main < _start");
    let app = trace.process("app", 100, None);
    let main = trace.thread(app, "app");
    let worker = trace.process("worker", 101, Some(app));
    let threads = [trace.thread(worker, "one"), trace.thread(worker, "two")];
    let other = trace.process("other", 200, None);
    let others = trace.thread(other, "other");
    trace.threads[0].os_tid = 100;
    for process in &mut trace.processes {
        process.start_ns = Some(0);
        process.end_ns = Some(1000 * MS);
    }
    trace.play(main, "R200 W700:nap<! R100");
    for thread in threads {
        trace.play(thread, "R200 W600:nap<! R200");
    }
    trace.play(others, "R50 W900:nap<! R50");
    trace
}

pub(super) fn target() -> Target {
    Target {
        os_pid: Some(100),
        extract: Some("x.whyslow".to_owned()),
        ..Target::default()
    }
}

/// Explains `trace` with rules.
#[track_caller]
pub(super) fn explained(trace: &Literal, rules: &str, target: &Target) -> Explained {
    let rules = read(rules).expect("no mistakes");
    let trace = trace.raw("t");
    let Answer::Explained(mut answer) = explain(&trace, target).expect("an answer") else {
        panic!("not found");
    };
    rules.add_to(&mut answer, &trace, target).expect("tables");
    let explained: i64 = answer.findings.iter().map(|one| one.explained_ns).sum();
    assert!(explained <= answer.wall_ns, "{answer:?}");
    *answer
}

pub(super) fn said(finding: &Finding) -> String {
    let spans = sentence(&finding.claim, &finding.facts);
    let words = spans.iter().map(|span| match &span.content {
        Content::Text(text) => text.clone(),
        Content::Quantity(_, value) => value.to_string(),
        Content::Percent(share) => format!("{share:.0} %"),
        Content::Ratio(ratio) => ratio.to_string(),
    });
    words.collect()
}

pub(super) fn of_rules(answer: &Explained) -> Vec<&Finding> {
    let all = answer.findings.iter();
    all.filter(|one| one.is_of_rule()).collect()
}

pub(super) const SLEEPS: &str = r#"
[[rule]]
name = "sleeps"
question = "waits"
when = ["class=sleep", "wait>=100ms"]
total = ["waits>=2"]
time = "wait"
about = "process"
text = "{process} slept {waits} times in {rows} rows: {share}"
advice = "Wake up *.rs, {process}"
tags = ["team", "sleep"]
"#;

#[test]
fn a_rule_counts_the_rows_of_the_command_and_what_it_started() {
    let answer = explained(&trace(), SLEEPS, &target());
    let [finding] = of_rules(&answer)[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(
        (finding.id.as_str(), finding.cause.as_str()),
        ("rule:sleeps", "rule:sleeps")
    );
    // 700 ms and 2 × 600 ms: more than there was.
    assert_eq!(
        said(finding),
        "worker and 1 other slept 3 times in 2 rows: 100 %"
    );
    assert_eq!((finding.wall_ns, finding.explained_ns), (1000 * MS, 0));
    assert_eq!(finding.confidence, Confidence::Possible);
    assert_eq!(
        finding.fact("tags"),
        Some(&Value::Text("team, sleep".to_owned()))
    );
    // It is named in the sentence, and not again below it.
    assert_eq!(finding.about(), "worker");
    assert!(finding.claim.names().any(|name| name == "object"));
    assert_eq!(finding.fact("process"), None);
    let [evidence] = &finding.evidence[..] else {
        panic!("{finding:?}");
    };
    let shown = Shown::Rule {
        file: "team.toml".to_owned(),
        line: 2,
    };
    assert_eq!((&evidence.shown, evidence.count), (&shown, 2));
    assert_eq!(
        evidence.query.on("x.whyslow"),
        "whyslow waits x.whyslow --process 100 --with-children --where class=sleep --where 'wait>=100ms' --sort wait"
    );
    let printed = lines(&Answer::Explained(Box::new(answer)), Names::Short);
    let text = |line: &whyslow_explain::words::Line| {
        let spans = line.spans.iter().filter_map(|span| match &span.content {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        spans.collect::<String>()
    };
    let details: Vec<String> = printed.iter().map(text).collect();
    let has = |wanted: &str| details.iter().any(|text| text.contains(wanted));
    assert!(
        has("Your rule sleeps (team.toml, line 2; team, sleep): "),
        "{details:#?}"
    );
    assert!(has("Wake up *.rs, worker and 1 other"), "{details:#?}");
}

#[test]
fn what_a_rule_is_about_is_not_the_column_called_object() {
    let trace = trace();
    let rules = |about: &str| {
        format!(
            "[[rule]]\nname = \"x\"\nquestion = \"waits\"\nwhen = \"process=app\"\nabout = \"{about}\"\n\
             text = \"{{process}} waited for {{object}}\"\n"
        )
    };
    let of = |about: &str| {
        let answer = explained(&trace, &rules(about), &target());
        let finding = of_rules(&answer)[0].clone();
        let mut names: Vec<&str> = finding.facts.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{finding:?}");
        (said(&finding), finding.about())
    };
    let (text, about) = of("process");
    assert_eq!(
        (text.as_str(), about.as_str()),
        ("app waited for unknown", "app")
    );
    let (text, about) = of("object");
    assert_eq!(
        (text.as_str(), about.as_str()),
        ("app waited for unknown", "unknown")
    );
}

#[test]
fn columns_that_are_hidden_can_be_said() {
    let mut trace = trace();
    let (process, thread) = (Some(trace.processes[0].id), Some(trace.threads[0].id));
    let calls = FileCallRow {
        from_ns: 100 * MS,
        process,
        thread,
        duration_ns: 100 * MS,
        file: None,
        operation: FileOperation::Read.code(),
        result: 0,
        flags: 0,
        count: 1,
        bytes: Some(10),
        time_ns: Some(32 * MS),
        longest_ns: Some(32 * MS),
        timed_count: 1,
    };
    let single = SingleFileCallRow {
        start_ns: 100 * MS,
        process,
        thread,
        duration_ns: Some(32 * MS),
        file: None,
        other_file: None,
        operation: FileOperation::Read.code(),
        call: 0,
        result: 0,
        flags: 0,
        offset_bytes: None,
        asked_bytes: None,
        bytes: Some(10),
        disk_bytes: None,
        stack: None,
    };
    trace.tables.push(Table::from_rows([calls]));
    trace.tables.push(Table::from_rows([single]));
    let rules = "[[rule]]\nname = \"x\"\nquestion = \"files\"\ntotal = \"timed>=1\"\n\
                 text = \"{calls} calls: {median}\"\n";
    let answer = explained(&trace, rules, &target());
    let finding = of_rules(&answer)[0];
    // The command shows what the rule looks at.
    let command = finding.evidence[0].query.on("x");
    assert!(command.contains(" --columns +median,+timed"), "{command}");
    assert!(
        matches!(finding.fact("median"), Some(Value::Time(ns)) if (30 * MS..34 * MS).contains(ns)),
        "{finding:?}"
    );
}

#[test]
fn thresholds_decide_whether_there_is_a_finding() {
    let found = |rules: &str| of_rules(&explained(&trace(), rules, &target())).len();
    assert_eq!(found(&SLEEPS.replace("waits>=2", "waits>=3")), 1);
    assert_eq!(found(&SLEEPS.replace("waits>=2", "waits>=4")), 0);
    assert_eq!(found(&SLEEPS.replace("waits>=2", "rows>=3")), 0);
    assert_eq!(found(&SLEEPS.replace("class=sleep", "class=disk")), 0);
    let of_app = |least: u32| {
        let rules = SLEEPS
            .replace("class=sleep", "process=app")
            .replace("waits>=2", "waits>=1");
        found(&format!("{rules}least-share = {least}\n"))
    };
    assert_eq!([of_app(69), of_app(71)], [1, 0]);
}

#[test]
fn a_finding_stands_after_those_of_a_larger_share() {
    let rules = |class: &str, time: &str| {
        let rules = SLEEPS
            .replace("class=sleep", class)
            .replace("waits>=2", "waits>=1");
        rules
            .replace("time = \"wait\"", time)
            .replace(": {share}", "")
    };
    let ids = |rules: &str| {
        let answer = explained(&trace(), rules, &target());
        let ids = answer.findings.iter().filter(|one| one.below.is_none());
        ids.map(|one| one.id.clone()).collect::<Vec<_>>()
    };
    // Built in, the sleep explains 70 %.
    let without =
        ids("[[rule]]\nname = \"x\"\nquestion = \"waits\"\nwhen = \"class=none\"\ntext = \"x\"");
    assert_eq!(without.first().map(String::as_str), Some("sleep"));
    let time = "time = \"wait\"";
    assert_eq!(ids(&rules("class=sleep", time))[0], "rule:sleeps");
    let second = ids(&rules("process=app", time));
    assert_eq!(second[..2], ["sleep", "rule:sleeps"], "as much is not more");
    let last = ids(&rules("class=sleep", ""));
    assert_eq!(
        last.last().map(String::as_str),
        Some("rule:sleeps"),
        "{last:?}"
    );
}

#[test]
fn without_a_time_there_is_no_share() {
    let rules = SLEEPS
        .replace("time = \"wait\"", "confidence = \"certain\"")
        .replace(": {share}", "");
    let mut answer = explained(&trace(), &rules, &target());
    let finding = of_rules(&answer)[0].clone();
    assert!(!finding.has_time() && finding.fact("share").is_none());
    assert_eq!(finding.confidence, Confidence::Certain);
    // It is not small; its size is not known.
    answer.leave_out_below(99.0);
    assert_eq!(of_rules(&answer).len(), 1);
    assert_eq!(answer.findings.len(), 1);
}

#[test]
fn all_that_rules_find_is_shown_also_where_nothing_stands_out() {
    let mut trace = Literal::new(1000);
    let app = trace.process("app", 100, None);
    let main = trace.thread(app, "app");
    trace.threads[0].os_tid = 100;
    trace.processes[0].start_ns = Some(0);
    trace.processes[0].end_ns = Some(1000 * MS);
    trace.play(main, "R1000");
    let rules: String = (0..9)
        .map(|at| {
            format!(
                "[[rule]]\nname = \"r{at}\"\nquestion = \"processes\"\ntext = \"{{process}} ran\"\n"
            )
        })
        .collect();
    let answer = explained(&trace, &rules, &target());
    let printed = lines(&Answer::Explained(Box::new(answer.clone())), Names::Short);
    let causes = printed
        .iter()
        .filter(|line| matches!(line.shape, Shape::Cause { .. }));
    let expected = answer
        .findings
        .iter()
        .filter(|one| one.is_of_rule() || !answer.nothing_stands_out);
    assert_eq!(causes.count(), expected.count(), "{printed:#?}");
    assert_eq!(of_rules(&answer).len(), 9);
    // The number that is printed finds it again.
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    for (at, one) in tops.enumerate() {
        let number = (at + 1).to_string();
        assert_eq!(
            answer.finding(&number).map(|found| &found.id),
            Some(&one.id)
        );
    }
}

#[test]
fn the_machine_is_asked_if_the_rule_says_so() {
    let rules = |scope: &str| {
        let rule = "[[rule]]\nname = \"x\"\nquestion = \"processes\"\nwhen = \"process=other\"\ntext = \"{process} ran, {pid}\"\n";
        format!("{rule}scope = \"{scope}\"\n")
    };
    assert!(of_rules(&explained(&trace(), &rules("command"), &target())).is_empty());
    let answer = explained(&trace(), &rules("machine"), &target());
    assert_eq!(said(of_rules(&answer)[0]), "other ran, 200");
}

#[test]
fn a_whole_machine_is_asked_once_and_each_program_for_itself() {
    let text = format!(
        "{SLEEPS}\n[[rule]]\nname = \"all\"\nquestion = \"processes\"\nscope = \"machine\"\ntext = \"{{rows}} ran\"\n\
         [[rule]]\nname = \"names\"\nquestion = \"files\"\ntext = \"x\"\n"
    );
    let rules = read(&text).expect("no mistakes");
    let mut trace = trace();
    trace.capabilities = Capabilities::default();
    for &capability in Capability::ALL {
        if capability != Capability::Files {
            trace.capabilities.set(capability);
        }
    }
    let trace = trace.raw("t");
    let target = Target::default();
    let mut machine = explain_machine(&trace, &target).expect("an answer");
    rules
        .add_to_machine(&mut machine, &trace, &target)
        .expect("tables");
    let [all] = &machine.findings[..] else {
        panic!("{:?}", machine.findings);
    };
    assert_eq!((all.id.as_str(), said(all).as_str()), ("rule:all", "3 ran"));
    assert_eq!(all.evidence[0].query.on("x"), "whyslow processes x");
    assert_eq!(
        machine.gaps.len(),
        1,
        "once for all programs: {:?}",
        machine.gaps
    );
    let app = machine.programs.iter().find(|one| one.os_pid == 100);
    let found = of_rules(&app.expect("app").answer);
    assert_eq!(
        found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(),
        ["rule:sleeps"]
    );
    let printed: Vec<String> = machine_lines(&machine, Names::Short)
        .iter()
        .flat_map(|line| line.spans.iter().map(|span| format!("{:?}", span.content)))
        .collect();
    for part in [
        " ran",
        "Your rule names (team.toml, line ",
        "Your rule sleeps",
    ] {
        assert!(
            printed.iter().any(|span| span.contains(part)),
            "{part}: {printed:#?}"
        );
    }
    machine.leave_out(|one| one.id == "rule:other", 0.0);
    assert_eq!(machine.findings.len(), 1);
    machine.leave_out(|one| one.id == "rule:all", 0.0);
    assert!(machine.findings.is_empty());
}

#[test]
fn the_time_that_is_asked_about_is_in_the_command() {
    let target = Target {
        from_ns: Some(250 * MS),
        to_ns: Some(550 * MS),
        ..target()
    };
    let rules = SLEEPS
        .replace("class=sleep", "process=app")
        .replace("waits>=2", "waits>=1");
    let answer = explained(&trace(), &rules, &target);
    let finding = of_rules(&answer)[0];
    assert_eq!(finding.wall_ns, 300 * MS);
    let command = finding.evidence[0].query.on("x");
    assert!(
        command.contains(" --from 0.250000000s --to 0.550000000s "),
        "{command}"
    );
}

#[test]
fn a_pid_that_was_used_before_and_children_that_go_on_do_not_count() {
    let mut trace = Literal::new(1000);
    trace.stack("nap", "k:do_nanosleep < nap < hold < main < _start");
    let old = trace.process("old", 100, None);
    let app = trace.process("app", 100, None);
    let child = trace.process("child", 101, Some(app));
    let lives = [(0, 200), (300, 700), (400, 1000)];
    for (process, (from, to)) in trace.processes.iter_mut().zip(lives) {
        process.start_ns = Some(from * MS);
        process.end_ns = Some(to * MS);
    }
    let plays = [
        (old, 0, "R50 W100:nap<! R50"),
        (app, 300, "R100 W200:nap<! R100"),
        (child, 400, "R100 W100:nap<! R150 W200:nap<! R50"),
    ];
    for (process, from, play) in plays {
        let thread = trace.thread(process, "main");
        trace.threads[thread.index()].start_ns = Some(from * MS);
        trace.start(thread, from);
        trace.play(thread, play);
    }
    let answer = explained(&trace, SLEEPS, &target());
    let finding = of_rules(&answer)[0];
    // Not the naps of 100 ms before and of 200 ms after it.
    assert_eq!(finding.wall_ns, 300 * MS);
    assert_eq!(finding.fact("waits"), Some(&Value::Count(2)));
    let command = finding.evidence[0].query.on("x");
    assert!(
        command.contains(" --from 0.300000000s --to 0.700000000s "),
        "{command}"
    );
    // Where nobody else has the pid, its time needs no limit.
    trace.processes[0].os_pid = 99;
    trace.processes[2].end_ns = Some(700 * MS);
    let answer = explained(&trace, SLEEPS, &target());
    let command = of_rules(&answer)[0].evidence[0].query.on("x");
    assert!(!command.contains("--from"), "{command}");
}

#[test]
fn what_was_not_recorded_is_said() {
    let mut trace = trace();
    trace.capabilities = Capabilities::default();
    let answer = explained(&trace, SLEEPS, &target());
    assert!(of_rules(&answer).is_empty());
    let gaps: Vec<String> = answer
        .gaps
        .iter()
        .map(|gap| format!("{:?}", gap.message))
        .collect();
    let wanted = "Your rule sleeps (team.toml, line 2) was not tried: the recording does not hold ";
    assert!(gaps.iter().any(|gap| gap.contains(wanted)), "{gaps:#?}");
}

#[test]
fn a_rule_that_cannot_be_asked_leaves_the_others() {
    let narrow = "[[rule]]\nname = \"narrow\"\nquestion = \"timeline\"\noptions = { rows = true, slice = \"1ns\" }\n\
                  text = \"{rows} slices\"\n";
    let rules = format!("{narrow}{SLEEPS}");
    let answer = explained(&trace(), &rules, &target());
    let ids: Vec<&str> = of_rules(&answer)
        .iter()
        .map(|one| one.id.as_str())
        .collect();
    assert_eq!(ids, ["rule:sleeps"]);
    let said = answer.gaps.iter().map(|gap| format!("{:?}", gap.message));
    let wanted = "Your rule narrow (team.toml, line 1) was not tried: --slice would cut the answer into up to ";
    assert_eq!(
        said.filter(|gap| gap.contains(wanted)).count(),
        1,
        "{:#?}",
        answer.gaps
    );
}

#[test]
fn every_question_can_be_asked_but_those_for_trees() {
    let trace = trace().raw("t");
    for question in whyslow_query::questions::ALL {
        let name = question.name;
        let text = format!("[[rule]]\nname = \"x\"\nquestion = \"{name}\"\ntext = \"{{rows}}\"\n");
        if name == "stacks" {
            let refused = read(&text).expect_err("a tree");
            assert!(format!("{refused:?}").contains("the rows are a tree"));
            continue;
        }
        let rules = read(&text).expect(name);
        assert!(!rules.all[0].asks.columns.is_empty(), "{name}");
        let Answer::Explained(mut answer) = explain(&trace, &target()).expect("an answer") else {
            panic!("not found");
        };
        rules.add_to(&mut answer, &trace, &target()).expect(name);
    }
}
