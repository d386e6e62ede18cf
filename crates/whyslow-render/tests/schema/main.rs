//! Answers as JSON are what `docs/answer.schema.json` says, and that says nothing else.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may stop")]

mod json;

use std::path::Path;

use json::{Json, parse};
use whyslow_explain::{Answer, Target, UnitAsked, explain, explain_machine, explain_unit};
use whyslow_render::{
    write_across_json, write_answer_json, write_finding_json, write_machine_json,
};
use whyslow_review::Across;
use whyslow_rules::Rules;
use whyslow_testkit::random_trace;

fn schema() -> Json {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/answer.schema.json");
    parse(&std::fs::read_to_string(path).expect("the schema"))
}

fn definition<'a>(schema: &'a Json, name: &str) -> &'a Json {
    let all = schema.member("$defs").expect("definitions");
    all.member(name).unwrap_or_else(|| panic!("no {name}"))
}

/// Stops where `value` is not what `rule` says; every member must be described.
fn check(value: &Json, rule: &Json, schema: &Json, at: &str) {
    if let Some(Json::Text(name)) = rule.member("$ref") {
        let name = name.trim_start_matches("#/$defs/");
        return check(value, definition(schema, name), schema, at);
    }
    if let Some(Json::List(rules)) = rule.member("anyOf") {
        let fits = |rule: &&Json| !matches!(rule.member("type"), Some(Json::Text(kind)) if !value.is(kind));
        let rule = rules
            .iter()
            .find(fits)
            .unwrap_or_else(|| panic!("{at}: {value:?}"));
        return check(value, rule, schema, at);
    }
    match rule.member("type") {
        Some(Json::Text(kind)) => assert!(value.is(kind), "{at} is no {kind}: {value:?}"),
        Some(Json::List(kinds)) => {
            let fits = |kind: &Json| matches!(kind, Json::Text(kind) if value.is(kind));
            assert!(kinds.iter().any(fits), "{at}: {value:?}");
        }
        _ => {}
    }
    if let Some(Json::List(values)) = rule.member("enum") {
        assert!(values.contains(value), "{at}: {value:?}");
    }
    if let Some(constant) = rule.member("const") {
        assert_eq!(value, constant, "{at}");
    }
    if let (Json::Object(members), Some(Json::Object(rules))) = (value, rule.member("properties")) {
        for (name, member) in members {
            let rule = rules.iter().find(|(known, _)| known == name);
            let (_, rule) = rule.unwrap_or_else(|| panic!("{at}.{name} is not described"));
            check(member, rule, schema, &format!("{at}.{name}"));
        }
        let Some(Json::List(required)) = rule.member("required") else {
            panic!("{at} does not say what is required");
        };
        for name in required {
            let Json::Text(name) = name else {
                panic!("{name:?}");
            };
            assert!(value.member(name).is_some(), "{at} has no {name}");
        }
    }
    if let (Json::List(items), Some(rule)) = (value, rule.member("items")) {
        for item in items {
            check(item, rule, schema, &format!("{at}[]"));
        }
    }
}

fn written(write: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> Json {
    let mut out = Vec::new();
    write(&mut out).expect("memory");
    parse(&String::from_utf8(out).expect("UTF-8"))
}

/// A rule whose time is known, and one that has none.
const RULES: &str = r#"
[[rule]]
name = "with-time"
question = "processes"
time = "cpu-precise"
text = "{process} ran for {share} of the time"

[[rule]]
name = "without-time"
question = "processes"
about = "process"
text = "{process} ({pid}) ran"

[[rule]]
name = "machine"
question = "processes"
scope = "machine"
text = "{rows} processes"
"#;

#[test]
fn answers_of_all_kinds_are_as_described() {
    let schema = schema();
    let rules = Rules::read("rules.toml", RULES.as_bytes()).expect("no mistakes");
    let is = |value: &Json, name: &str| check(value, definition(&schema, name), &schema, name);
    let mut answers = Vec::new();
    for seed in 1..40 {
        let trace = random_trace(seed).raw("t");
        let target = Target {
            os_pid: Some(1),
            ..Target::default()
        };
        let answer = explain(&trace, &target).expect("an answer");
        let name = match &answer {
            Answer::Explained(_) => "answer",
            Answer::NotFound(_) => "not_found",
        };
        is(&written(|out| write_answer_json(&answer, out)), name);
        let mut machine = explain_machine(&trace, &Target::default()).expect("an answer");
        rules
            .add_to_machine(&mut machine, &trace, &Target::default())
            .expect("tables");
        is(&written(|out| write_machine_json(&machine, out)), "machine");
        let [unit] = &whyslow_model::Unit::all_of("/system.slice/a.service")[..] else {
            panic!("no unit");
        };
        let asked = UnitAsked {
            unit,
            os_pids: &[1],
        };
        let machine = explain_unit(&trace, &Target::default(), asked).expect("an answer");
        is(&written(|out| write_machine_json(&machine, out)), "machine");
        if let Answer::Explained(mut answer) = answer {
            rules.add_to(&mut answer, &trace, &target).expect("tables");
            let with_rules = Answer::Explained(answer.clone());
            is(
                &written(|out| write_answer_json(&with_rules, out)),
                "answer",
            );
            for one in &answer.findings {
                is(
                    &written(|out| write_finding_json(&answer, one, out)),
                    "single",
                );
            }
            answers.push(answer.clone());
            answer.suppress(|_| {
                Some(whyslow_explain::Accepted {
                    reason: "known".to_owned(),
                    until: "2027-01-01".to_owned(),
                })
            });
            let answer = Answer::Explained(answer);
            is(&written(|out| write_answer_json(&answer, out)), "answer");
        }
    }
    let across = Across::of(answers.iter().map(|answer| ("box", &**answer)));
    is(&written(|out| write_across_json(&across, out)), "across");
    let of_rules = across
        .common
        .iter()
        .filter(|one| one.cause.starts_with("rule:"));
    let times: std::collections::BTreeSet<bool> = of_rules.map(|one| one.has_time()).collect();
    assert_eq!(times.len(), 2, "with a time and without");
}

#[test]
fn the_check_finds_what_is_wrong() {
    let schema = schema();
    let wrong = |text: &str| {
        let value = parse(text);
        let checked = std::panic::catch_unwind(|| {
            check(&value, definition(&schema, "part"), &schema, "part");
        });
        assert!(checked.is_err(), "{text}");
    };
    for text in [
        r#"{"kind":"cpu"}"#,
        r#"{"kind":1,"ns":1}"#,
        r#"{"kind":"cpu","ns":1,"x":1}"#,
        "[]",
    ] {
        wrong(text);
    }
}
