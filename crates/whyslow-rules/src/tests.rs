//! Files of rules, right and wrong, and what rules find in synthetic extracts.

mod finds;
mod hostile;
mod together;

use crate::{Faults, Rules};

/// Returns the rules in a text.
fn read(text: &str) -> Result<Rules, Faults> {
    Rules::read("team.toml", text.as_bytes())
}

/// Returns what is wrong in a text.
#[track_caller]
fn faults(text: &str) -> Vec<String> {
    let faults = read(text).expect_err("mistakes");
    faults.all.iter().map(ToString::to_string).collect()
}

/// A rule with nothing but what it needs, and further lines.
fn rule(more: &str) -> String {
    format!("[[rule]]\nname = \"x\"\nquestion = \"files\"\ntext = \"{{calls}} calls\"\n{more}\n")
}

/// Returns the only fault of a rule with further lines, the first of which is line 5.
#[track_caller]
fn fault(more: &str) -> String {
    let faults = faults(&rule(more));
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults.into_iter().next().unwrap_or_default()
}

#[test]
fn the_example_of_the_documentation_is_right() {
    let rules = read(include_str!("../../../docs/rules.example.toml")).expect("no mistakes");
    assert_eq!((rules.count(), rules.examples()), (3, 5));
}

#[test]
fn the_rule_that_the_page_shows_is_right() {
    let page = include_str!("../../../docs/rules.md");
    let blocks = page.split("```toml\n").skip(1);
    let blocks: Vec<&str> = blocks
        .filter_map(|block| block.split("```").next())
        .collect();
    let [rule, example] = blocks[..] else {
        panic!("{blocks:?}");
    };
    let rules = read(&format!("{rule}\n{example}")).expect("no mistakes");
    assert_eq!((rules.count(), rules.examples()), (1, 1));
    for key in crate::reader::KEYS {
        assert!(
            page.contains(&format!("| `{key}` |")),
            "{key} is not explained"
        );
    }
}

#[test]
fn all_mistakes_are_told_at_once_with_their_lines() {
    let text = r#"
[[rule]]
name = "bad name!"
question = "files"
when = ["calls>=100", "pth=*.log"]
total = ["path>=5", "rows>=many"]
time = "calls"
text = "{cals} calls: {share}"

[[rule]]
name = "b"
qestion = "waits"
question = "wait"
text = "x"

[[rule]]
name = "b"
question = "waits"
time = "wait"
confidence = "sure"
text = "{share} on {object}"
"#;
    let faults = faults(text);
    let lines: Vec<&str> = faults
        .iter()
        .map(|fault| fault.split(", ").next().unwrap_or(fault))
        .collect();
    let begins = [
        "line 3: a name has up to 50 letters (a to z)",
        "line 5: unknown column \"pth\": did you mean path? It can be process",
        "line 6: \"rows>=many\" is not a condition: unknown unit \"many\"",
        "line 6: path has no sum: total can be about rows",
        "line 7: calls is no time: it can be time",
        "line 8: text: unknown value \"cals\": did you mean calls? It can be process",
        "line 12: unknown key \"qestion\": did you mean question? It can be name",
        "line 13: unknown question \"wait\": did you mean waits? It can be processes",
        "line 20: unknown confidence \"sure\": it can be certain",
    ];
    assert_eq!(lines, begins, "{faults:#?}");
}

#[test]
fn two_rules_cannot_have_one_name() {
    let text = format!("{}{}", rule(""), rule(""));
    assert_eq!(
        faults(&text),
        ["line 6: the rule of line 1 is called x, too"]
    );
}

#[test]
fn syntax_is_told_with_the_line() {
    let broken = "[[rule]]\nname = \"x\nquestion = \"files\"\n\ntext = = 5\n";
    // A rule that is no TOML is not looked at any closer; another one is.
    let other = "[[rule]]\nname = \"y\"\nquestion = \"file\"\ntext = \"y\"\n";
    let found = faults(&format!("{broken}{other}"));
    let begins = [
        "line 2: this is not TOML: ",
        "line 5: this is not TOML: ",
        "line 8: unknown question \"file\": did you mean files?",
    ];
    assert_eq!(found.len(), begins.len(), "{found:#?}");
    for (fault, begin) in found.iter().zip(begins) {
        assert!(fault.starts_with(begin), "{found:#?}");
    }
    assert_eq!(faults(""), ["line 1: there is no [[rule]]"]);
    assert_eq!(
        faults("rules = 1\n"),
        ["line 1: unknown key \"rules\": it can be [[rule]]"]
    );
    assert_eq!(
        faults("rule = 1\n"),
        ["line 1: rule is written as [[rule]], not as a number"]
    );
}

#[test]
fn types_are_checked() {
    assert_eq!(
        fault("when = [5]"),
        "line 5: when must be a text in quotation marks, not a number"
    );
    assert_eq!(
        fault("when = 'path>5'"),
        "line 5: \"path>5\" is not a condition: path is a column of text, which only = and != compare"
    );
    assert_eq!(
        fault("time = \"path\""),
        "line 5: path is no time: it can be time, longest, median, p95, p99, cold-time"
    );
    assert_eq!(
        fault("about = \"calls\""),
        "line 5: about needs a column of text; calls has numbers"
    );
    assert_eq!(
        fault("least-share = 5"),
        "line 1: a share needs time = \"COLUMN\", the column that says how much time it is"
    );
    assert_eq!(
        fault("time = \"time\"\nleast-share = 500"),
        "line 6: least-share must be a number between 0 and 100"
    );
    assert_eq!(
        fault("scope = \"machine\"\ntime = \"time\""),
        "line 6: time needs a question about the command: what others did is no part of its time"
    );
    assert_eq!(
        fault("scope = \"world\""),
        "line 5: unknown scope \"world\": it can be command, machine"
    );
    assert_eq!(
        fault("options = \"by\""),
        "line 5: options is written as { by = \"file\" }, not as a text"
    );
    assert_eq!(
        fault("options = { by = \"fil\" }"),
        "line 5: unknown by \"fil\": did you mean file? It can be call, file, process, operation, result, extension"
    );
    assert_eq!(
        fault("options = { failed = \"yes\" }"),
        "line 5: failed must be true or false, not a text"
    );
    assert_eq!(
        fault("options = { depth = -1 }"),
        "line 5: depth must be a whole number"
    );
    assert!(fault("options = { faild = true }").contains("did you mean failed?"));
    assert!(fault("tags = [\"a,b\"]").starts_with("line 5: tags are up to 10 words"));
}

#[test]
fn the_columns_are_those_that_the_options_give() {
    // Single calls have columns of their own.
    let list = |more: &str| {
        let text = format!(
            "[[rule]]\nname = \"x\"\nquestion = \"files\"\noptions = {{ list = {more} }}\nwhen = \"offset>=0\"\ntext = \"x\"\n"
        );
        read(&text).is_ok()
    };
    assert!(list("true"));
    assert!(!list("false"));
}

#[test]
fn examples_are_tried() {
    let with = |finds: bool, rows: &str| {
        let needs = "when = [\"operation=sync\"]\ntotal = [\"rows>=2\", \"calls>=100\"]\ntime = \"time\"\nleast-share = 10";
        let text = rule(needs);
        format!("{text}[[rule.example]]\nfinds = {finds}\ntook = \"1s\"\nrows = {rows}\n")
    };
    let two = r#"[{ operation = "sync", calls = 60, time = "50ms" }, { operation = "sync", calls = 40, time = 60 }]"#;
    assert_eq!(read(&with(true, two)).map(|rules| rules.examples()), Ok(1));
    assert_eq!(
        faults(&with(false, two)),
        ["line 9: rule x: it makes a finding of this example, but should not"]
    );
    let says = |rows: &str| faults(&with(true, rows)).join("\n");
    let none = "line 9: rule x: it makes no finding of this example: ";
    assert_eq!(
        says(r#"[{ operation = "read", calls = 500 }]"#),
        format!("{none}no row meets all of when; the first one does not meet \"operation=sync\"")
    );
    assert_eq!(
        says(r#"[{ operation = "sync", calls = 500 }]"#),
        format!("{none}the condition of total on rows is not met")
    );
    let little = two.replace("50ms", "5ms").replace("60 }", "6 }");
    assert_eq!(
        says(&little),
        format!("{none}its share is 1.1 %, less than least-share")
    );
    assert_eq!(says("[]"), format!("{none}it has no rows"));
    assert!(read(&with(false, "[]")).is_ok());
}

#[test]
fn examples_are_checked_themselves() {
    let example = |lines: &str| faults(&rule(&format!("[[rule.example]]\n{lines}"))).join("\n");
    assert_eq!(example("rows = []"), "line 5: the example has no key finds");
    assert_eq!(
        example("finds = true\nrows = [{ cals = 5 }]")
            .split(" It can")
            .next(),
        Some("line 7: unknown column \"cals\": did you mean calls?")
    );
    assert_eq!(
        example(
            "finds = true\nrows = [{ path = 5 }, { calls = \"many\" }, { time = \"5 parsecs\" }]"
        )
        .lines()
        .map(|line| line.split(", use one of").next().unwrap_or(line))
        .collect::<Vec<_>>(),
        [
            "line 7: calls: \"many\": unknown unit \"many\"",
            "line 7: path: it is a column of text, so its value cannot be a number",
            "line 7: time: \"5 parsecs\": unknown unit \"parsecs\"",
        ]
    );
    assert_eq!(
        example("finds = \"yes\"\nrows = 5"),
        "line 6: finds must be true or false\nline 7: rows must be a list of rows such as [{ calls = 5 }], not a number"
    );
    assert!(example("finds = true\nrow = []\nrows = []").contains("did you mean rows?"));
}

#[test]
fn a_mark_of_the_encoding_may_begin_the_file_and_files_as_a_tree_are_refused() {
    let rule = "[[rule]]\nname = \"x\"\nquestion = \"files\"\ntext = \"{rows}\"\n";
    assert!(read(&format!("\u{feff}{rule}")).is_ok());
    assert_eq!(faults(&format!("{rule}\u{feff}")).len(), 1);
    let tree = faults(&format!("{rule}options = {{ tree = true }}\n"));
    assert!(
        tree.iter().any(|one| one.contains("the rows are a tree")),
        "{tree:?}"
    );
}
