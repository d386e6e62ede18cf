//! Many rules: what they ask together, what they say of several rows, and what keeps them from being tried.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use whyslow_explain::finding::Value;
use whyslow_explain::{Explained, Target, explain, explain_machine};
use whyslow_model::tables::FileCallRow;
use whyslow_model::{MemoryTrace, Scan, Table, TableSchema, TraceView, ViewError};

use super::finds::{SLEEPS, explained, of_rules, said, target, trace};
use super::*;

/// A trace that counts how often each table is gone through.
struct Counting {
    inner: MemoryTrace,
    scans: Mutex<BTreeMap<&'static str, usize>>,
}

impl TraceView for Counting {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.inner.has(table)
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        *self
            .scans
            .lock()
            .expect("a map")
            .entry(table.name)
            .or_default() += 1;
        self.inner.scan(table, scan, each)
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        self.inner.read(table, columns)
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        self.inner.pick(table, rows)
    }
}

/// Returns how often the states of threads are gone through for these rules, and the answer.
fn asked(rules: &str) -> (usize, Explained) {
    let rules = read(rules).expect("no mistakes");
    let view = Counting {
        inner: trace().raw("t"),
        scans: Mutex::default(),
    };
    let whyslow_explain::Answer::Explained(mut answer) =
        explain(&view, &target()).expect("an answer")
    else {
        panic!("not found");
    };
    let before = view
        .scans
        .lock()
        .expect("a map")
        .get("thread_state")
        .copied();
    rules.add_to(&mut answer, &view, &target()).expect("tables");
    let after = view
        .scans
        .lock()
        .expect("a map")
        .get("thread_state")
        .copied();
    (after.unwrap_or(0) - before.unwrap_or(0), *answer)
}

fn rule(name: &str, more: &str) -> String {
    format!(
        "[[rule]]\nname = \"{name}\"\nquestion = \"waits\"\ntext = \"{{process}} {{waits}}\"\n{more}\n"
    )
}

#[test]
fn rules_that_ask_the_same_are_answered_together() {
    let (once, _) = asked(&rule("one", "when = \"class=sleep\""));
    assert!(once > 0);
    let same: String = (0..20)
        .map(|at| rule(&format!("r{at}"), "when = \"class=sleep\""))
        .collect();
    let (times, answer) = asked(&same);
    assert_eq!((times, of_rules(&answer).len()), (once, 20));
    let various: String = (0..20)
        .map(|at| {
            rule(
                &format!("r{at}"),
                &format!("when = \"wait>={}ms\"", at * 50),
            )
        })
        .collect();
    let (times, answer) = asked(&various);
    assert_eq!(times, once);
    // From 700 ms on, only the waits of two threads together are as long.
    assert_eq!(of_rules(&answer).len(), 20);
    // Another option is another question.
    let (times, _) = asked(&format!(
        "{same}{}",
        rule("x", "options = {{ thread = \"app\" }}")
            .replace("{{", "{")
            .replace("}}", "}")
    ));
    assert_eq!(times, 2 * once);
}

#[test]
fn together_each_rule_finds_what_it_finds_alone() {
    let rules = [
        rule(
            "short",
            "when = [\"wait>=100ms\", \"process=app\"]\ntime = \"wait\"",
        ),
        rule("none", "when = \"class=disk\""),
        rule("longest", "time = \"wait\"\nabout = \"process\""),
        rule("all", "total = \"rows>=2\""),
        rule("many", "total = \"rows>=200\""),
        SLEEPS.to_owned(),
    ];
    let together = explained(&trace(), &rules.concat(), &target());
    let mut found = 0;
    for rule in &rules {
        let alone = explained(&trace(), rule, &target());
        for one in of_rules(&alone) {
            let all = of_rules(&together);
            let same = all.iter().find(|other| other.id == one.id);
            let same = same.expect("it is found, too");
            assert_eq!((said(one), &one.facts), (said(same), &same.facts));
            assert_eq!(one.evidence[0].query, same.evidence[0].query);
            found += 1;
        }
    }
    assert_eq!((found, of_rules(&together).len()), (4, 4));
}

#[test]
fn a_sum_is_not_that_of_the_first_name_alone() {
    let answer = explained(&trace(), &rule("all", ""), &target());
    let finding = of_rules(&answer)[0];
    assert_eq!(said(finding), "worker and 1 other 3");
    // The name alone identifies the finding, however many others there are.
    assert_eq!(
        finding.fact("process"),
        Some(&Value::Process("worker".to_owned()))
    );
    let answer = explained(&trace(), &rule("app", "when = \"process=app\""), &target());
    assert_eq!(said(of_rules(&answer)[0]), "app 1");
}

/// Returns what is said about rules that were not tried.
fn untried(gaps: &[whyslow_explain::gaps::Gap]) -> Vec<String> {
    let gaps = gaps.iter().map(|gap| format!("{:?}", gap.message));
    gaps.filter(|gap| gap.contains("was not tried")).collect()
}

const CALLS: &str = "[[rule]]\nname = \"calls\"\nquestion = \"files\"\ntext = \"{calls} calls\"\n";

#[test]
fn a_table_that_is_missing_is_said() {
    let mut trace = trace();
    let gaps = untried(&explained(&trace, CALLS, &target()).gaps);
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    assert!(
        gaps[0].contains("file_call.parquet is missing in the extract; extract"),
        "{gaps:?}"
    );
    // An empty one is not missing.
    trace.tables.push(Table::from_rows::<FileCallRow>([]));
    assert_eq!(
        untried(&explained(&trace, CALLS, &target()).gaps),
        Vec::<String>::new()
    );
}

#[test]
fn for_a_machine_each_rule_is_said_once_not_to_be_tried() {
    let narrow = "[[rule]]\nname = \"narrow\"\nquestion = \"timeline\"\noptions = { rows = true, slice = \"1ns\" }\n\
                  text = \"{rows} slices\"\n";
    let rules = read(&format!("{CALLS}{narrow}")).expect("no mistakes");
    let trace = trace().raw("t");
    let target = Target::default();
    let mut machine = explain_machine(&trace, &target).expect("an answer");
    assert!(machine.programs.len() > 1, "{machine:?}");
    rules
        .add_to_machine(&mut machine, &trace, &target)
        .expect("tables");
    // The number of slices in the reason differs from program to program.
    let gaps = untried(&machine.gaps);
    assert_eq!(gaps.len(), 2, "{gaps:#?}");
}

#[test]
fn trees_are_refused_whatever_asks_for_them() {
    for (question, options, is_tree) in [
        ("stacks", "{ }", true),
        ("files", "{ tree = true }", true),
        ("files", "{ tree = false }", false),
        ("processes", "{ }", false),
    ] {
        let text = format!(
            "[[rule]]\nname = \"x\"\nquestion = \"{question}\"\noptions = {options}\ntext = \"{{rows}}\"\n"
        );
        let refused =
            read(&text).is_err_and(|faults| format!("{faults:?}").contains("the rows are a tree"));
        assert_eq!(refused, is_tree, "{question} {options}");
    }
}
