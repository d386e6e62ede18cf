use super::*;

const GOOD: &str = r#"
title = "slow"
known_from = "counted"
never = ["lock"]
[[expect]]
cause = ["fsync"]
object = ["journal.log"]
share = [0.5, 1.0]
"#;

fn parse(text: &str) -> Result<Case, String> {
    Case::parse("name", Path::new("/cases/name"), text)
}

#[test]
fn a_case_is_read() {
    let case = parse(GOOD).unwrap();
    assert_eq!(case.never, ["lock"]);
    assert_eq!(case.expect[0].object, ["journal.log"]);
    assert_eq!(case.expect[0].share, Some(0.5..=1.0));
}

#[test]
fn a_case_that_makes_no_sense_is_refused() {
    let refused = [
        (GOOD.replace("fsync", "fsink"), "no cause"),
        (GOOD.replace("object", "objekt"), "no such key"),
        (GOOD.replace("[\"lock\"]", "[\"fsync\"]"), "forbidden"),
        (GOOD.replace("0.5, 1.0", "1.0, 0.5"), "[0.6, 1.0]"),
        (GOOD.replace("title", "healthy = true\ntitle"), "healthy"),
        (GOOD.replace("known_from", "may = []\n#"), "known_from"),
    ];
    for (text, wanted) in refused {
        let said = parse(&text).unwrap_err();
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn all_cases_of_the_repository_can_be_read() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut read = 0;
    for entry in fs::read_dir(cases).unwrap() {
        let dir = entry.unwrap().path();
        if dir.is_dir() {
            Case::read(&dir).unwrap();
            read += 1;
        }
    }
    assert!(read > 0);
}
