//! Files that somebody made to do harm.

use whyslow_testkit::Random;

use super::*;

#[test]
fn what_is_no_text_is_refused_with_its_line() {
    let bytes = b"[[rule]]\nname = \"\xff\"\n";
    let error = Rules::read("x.toml", bytes).expect_err("no text");
    assert_eq!(error.list("x.toml"), "x.toml:2: this is not text (UTF-8)\n");
    let all = vec![b' '; Rules::MOST_BYTES + 1];
    let error = Rules::read("x.toml", &all).expect_err("too large");
    assert_eq!(error.to_string(), "line 1: the file is larger than 1 MiB");
}

#[test]
fn letters_that_do_not_show_are_refused_wherever_they_stand() {
    for (text, line) in [
        ("# \u{202e}comment\n".to_owned(), 1),
        (rule("advice = \"a\u{2066}b\""), 5),
        (rule("advice = \"a\\u202Eb\""), 5),
        (rule("advice = \"a\\u001b[31mb\""), 5),
        (rule("tags = [\"a\\u200bb\"]"), 5),
        (rule("advice = \"ok\\rfake\""), 5),
        (rule("advice = \"a\\tb\""), 5),
        (rule("advice = \"a\tb\""), 5),
        (rule("advice = \"a\u{85}b\""), 5),
        (rule("advice = \"a\u{115f}b\""), 5),
        (rule("advice = \"a\\u1160b\""), 5),
        (rule("advice = \"\\u3164\""), 5),
        (rule("advice = \"a\u{2800}b\""), 5),
        (rule("tags = [\"\u{ffa0}\"]"), 5),
    ] {
        let found = faults(&text);
        let begin = format!("line {line}: the character U+");
        assert!(found[0].starts_with(&begin), "{text:?}: {found:?}");
    }
}

#[test]
fn lines_may_be_indented_with_tabs_and_end_as_on_windows() {
    let text = rule("\tadvice = \"a\"\t# so").replace('\n', "\r\n");
    assert_eq!(read(&text).map(|rules| rules.count()), Ok(1));
}

#[test]
fn there_are_limits_for_everything() {
    let long = "x".repeat(501);
    assert_eq!(
        fault(&format!("advice = \"{long}\"")),
        "line 5: advice has more than 500 letters"
    );
    assert_eq!(
        fault("advice = \"\"\"a\nb\"\"\""),
        "line 5: advice must be one line"
    );
    let many = ["\"calls>=1\""; 21].join(", ");
    assert_eq!(
        fault(&format!("when = [{many}]")),
        "line 5: when has more than 20 conditions"
    );
    let tags = ["\"a\""; 11].join(", ");
    assert!(fault(&format!("tags = [{tags}]")).contains("tags are up to 10 words"));
    let rules: String = (0..101)
        .map(|at| rule("").replace("\"x\"", &format!("\"x{at}\"")))
        .collect();
    assert_eq!(faults(&rules), ["line 501: there are more than 100 rules"]);
    // The first hundred mistakes are told, the others counted.
    let wrong: String = (0..60).map(|_| "a = 1\nb.c = 1\n[d]\n[e]\n").collect();
    let error = read(&wrong).expect_err("mistakes");
    assert_eq!(error.all.len(), 100);
    assert!(error.more > 0 && error.list("f").ends_with(" more\n"));
}

#[test]
fn deep_values_are_refused() {
    let deep = format!("when = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(!faults(&rule(&deep)).is_empty());
    let deep = format!(
        "options = {}1{}",
        "{ a = ".repeat(10_000),
        " }".repeat(10_000)
    );
    assert!(!faults(&rule(&deep)).is_empty());
    let keys = format!("{} = 1", vec!["a"; 10_000].join("."));
    assert!(!faults(&rule(&keys)).is_empty());
}

#[test]
fn changed_files_give_mistakes_and_never_a_panic() {
    let whole = include_bytes!("../../../../docs/rules.example.toml");
    let mut random = Random(7);
    let pieces: [&[u8]; 9] = [
        b"[", b"]", b"{", b"}", b"\"", b"=", b"\n", b"{rows}", b"9e999",
    ];
    for _ in 0..3000 {
        let mut bytes = whole.to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(at.max(1)),
                1 => {
                    bytes.remove(at);
                }
                _ => {
                    let piece = pieces[random.below(pieces.len())];
                    bytes.splice(at..at, piece.iter().copied());
                }
            }
        }
        if let Err(faults) = Rules::read("x.toml", &bytes) {
            assert!(faults.count() > 0);
            assert!(!faults.to_string().is_empty());
        }
    }
}
