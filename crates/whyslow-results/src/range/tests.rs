//! Ranges as tables of text, kind, and what lies inside and outside.

use super::*;

fn inside(text: &str, kind: Kind, value: i64) -> bool {
    let range = Range::parse(text, kind).unwrap_or_else(|error| panic!("{text}: {error}"));
    range.contains(&Value::Int(value))
}

#[test]
fn both_ends_belong_to_the_range() {
    const MS: i64 = 1_000_000;
    let table = [
        ("10-20ms", 10 * MS, 20 * MS),
        ("10ms-20ms", 10 * MS, 20 * MS),
        ("10..20", 10 * MS, 20 * MS),
        ("10 20", 10 * MS, 20 * MS),
        ("10ms 1s", 10 * MS, 1_000 * MS),
        ("0.5..1.5ms", MS / 2, 3 * MS / 2),
        ("1us-2us", 1_000, 2_000),
        ("1_000-2_000µs", MS, 2 * MS),
        ("1-2 s", 1_000 * MS, 2_000 * MS),
        ("1..2min", 60_000 * MS, 120_000 * MS),
        ("-5..5ms", -5 * MS, 5 * MS),
        ("-5-5", -5 * MS, 5 * MS),
    ];
    for (text, low, high) in table {
        assert!(inside(text, Kind::Duration, low), "{text}");
        assert!(inside(text, Kind::Duration, high), "{text}");
        assert!(!inside(text, Kind::Duration, low - 1), "{text}");
        assert!(!inside(text, Kind::Duration, high + 1), "{text}");
    }
}

#[test]
fn open_ends_and_default_units() {
    assert!(inside("10ms..", Kind::Duration, i64::MAX));
    assert!(!inside("10ms..", Kind::Duration, 9_999_999));
    assert!(inside("..1s", Kind::Duration, -1));
    assert!(!inside("..1s", Kind::Duration, 1_000_000_001));
    assert!(
        inside("10", Kind::Duration, 10_000_000),
        "one number is at least"
    );
    assert!(inside(">=10", Kind::Duration, 10_000_000));
    assert!(inside("<=10", Kind::Duration, 10_000_000));
    assert!(inside("10 ms", Kind::Duration, 10_000_000));
    assert!(inside("1.5..", Kind::Time, 1_500_000_000));
    assert!(!inside("1.5..", Kind::Time, 1_499_999_999));
    assert!(inside("1KiB-1MB", Kind::Bytes, 1_024));
    assert!(!inside("1KiB-1MB", Kind::Bytes, 1_023));
    assert!(!inside("1KiB-1MB", Kind::Bytes, 1_000_001));
    assert!(inside("2k..", Kind::Count, 2_000));
    assert!(inside("1", Kind::Id, 1), "one id is that id");
    assert!(!inside("1", Kind::Id, 2));
    assert!(inside("0xc0000005", Kind::ExitCode, -1_073_741_819));
    assert!(!inside("3", Kind::ExitCode, 4));
    assert!(inside("64k..", Kind::Bytes, 64_000));
    assert!(!inside("64KiB..", Kind::Bytes, 64_000));
    let share = Range::parse("50-60%", Kind::Percent).expect("a range");
    assert!(share.contains(&Value::Float(50.0)));
    assert!(!share.contains(&Value::Float(60.001)));
    assert!(!share.contains(&Value::Null));
}

#[test]
fn what_is_no_range_says_why() {
    let table = [
        ("", "no number"),
        ("..", "no number"),
        ("ten", "unknown unit"),
        ("1,000", "no part of a number"),
        ("10parsec", "unknown unit"),
        ("20-10", "lies above"),
        ("1.2.3", "not a number"),
        ("99999999999999999999999999999999999999", "not a number"),
    ];
    for (text, why) in table {
        let error = Range::parse(text, Kind::Duration)
            .expect_err(text)
            .to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}
