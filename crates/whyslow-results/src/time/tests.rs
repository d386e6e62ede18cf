//! Times as tables: what is written, what it means, and what is printed back.

use super::*;

/// 2026-11-21 14:30:00 UTC, recorded two hours east.
const START: i64 = 1_795_271_400 * SECOND;
const CLOCK: Clock = Clock {
    start_unix_ns: Some(START),
    utc_offset_s: Some(7200),
    duration_ns: 60 * SECOND,
    zero_ns: 0,
};

#[test]
fn written_times_are_found_in_the_trace() {
    let table = [
        ("1.5s", 1_500_000_000),
        ("1.5", 1_500_000_000),
        ("-1.5", -1_500_000_000),
        ("250ms", 250_000_000),
        ("1.000000001", 1_000_000_001),
        ("2min", 120 * SECOND),
        ("+2s", 12 * SECOND),
        ("16:30:05.25", 5_250_000_000),
        ("16:30", 0),
        ("14:30:05Z", 5 * SECOND),
        ("14:30:05 UTC", 5 * SECOND),
        ("09:30:05-05:00", 5 * SECOND),
        ("2026-11-21T16:30:05", 5 * SECOND),
        ("2026-11-21 14:30:05Z", 5 * SECOND),
        ("2026-11-22T16:30:00", 86_400 * SECOND),
        ("16:29:59", -SECOND),
    ];
    for (text, expected) in table {
        let point = TimePoint::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let ns = point.resolve("t", &CLOCK, 10 * SECOND, None).expect(text);
        assert_eq!(ns, expected, "{text}");
    }
}

#[test]
fn a_time_of_day_is_the_one_nearest_to_the_trace() {
    let clock = Clock {
        start_unix_ns: Some(START + 9 * 3600 * SECOND + 29 * 60 * SECOND),
        utc_offset_s: Some(0),
        duration_ns: 120 * SECOND,
        zero_ns: 0,
    };
    // The trace runs from 23:59 to 00:01.
    let at = |text: &str| {
        TimePoint::parse(text)
            .expect(text)
            .resolve("t", &clock, 0, None)
            .expect(text)
    };
    assert_eq!(at("23:59:30"), 30 * SECOND);
    assert_eq!(at("00:00:30"), 90 * SECOND);
}

#[test]
fn what_is_no_time_is_refused() {
    let texts = [
        "",
        "x",
        "1parsec",
        "25:00",
        "12:60",
        "12:00:61",
        "2026-02-30T12:00",
        "12:00+99:00",
        "12:-1",
        "+",
        ":",
        "::",
        "1.x",
        "2026-11-21T",
    ];
    for text in texts {
        // It may be the name of a mark, but a trace without marks has none.
        let at = TimePoint::parse(text).and_then(|point| point.resolve("t", &CLOCK, 0, None));
        assert!(
            matches!(at, Err(TextError::BadTime { .. })),
            "{text}: {at:?}"
        );
    }
    let unknown = Clock::default();
    let point = TimePoint::parse("12:00").expect("a time");
    assert!(point.resolve("t", &unknown, 0, None).is_err());
}

#[test]
fn a_name_is_a_mark_unless_it_is_a_time() {
    let marks = Marks::new(vec![
        (3 * SECOND, "2s".to_owned()),
        (4 * SECOND, "1st: load".to_owned()),
    ]);
    let at = |text: &str| {
        let point = TimePoint::parse(text)?;
        point.resolve("t", &CLOCK, 0, Some(&marks))
    };
    assert_eq!(at("2s").expect("a time"), 2 * SECOND);
    assert_eq!(at("1st: load").expect("a mark"), 4 * SECOND);
    assert_eq!(at("1st+1s").expect("a mark"), 5 * SECOND);
    let why = at("25:00").expect_err("neither").to_string();
    assert!(
        why.contains("the time is not hh:mm:ss") && why.contains("'1st: load'"),
        "{why}"
    );
    let point = TimePoint::mark("2s");
    assert_eq!(
        point.resolve("t", &CLOCK, 0, Some(&marks)).expect("a mark"),
        3 * SECOND
    );
}

#[test]
fn seconds_count_from_a_moment_that_somebody_chooses() {
    let clock = Clock {
        zero_ns: 4 * SECOND,
        ..CLOCK
    };
    let text = |format: TimeFormat| format.format(5_250_000_000, &clock, 2);
    assert_eq!(text(TimeFormat::Trace).as_deref(), Some("1.25"));
    assert_eq!(text(TimeFormat::UtcTime).as_deref(), Some("14:30:05.25Z"));
}

#[test]
fn times_print_in_every_zone() {
    let at = 5_250_000_000;
    let table = [
        (TimeFormat::Trace, 3, "5.250"),
        (TimeFormat::Trace, 0, "5"),
        (TimeFormat::Local, 3, "2026-11-21 16:30:05.250"),
        (TimeFormat::LocalTime, 0, "16:30:05"),
        (TimeFormat::Utc, 6, "2026-11-21 14:30:05.250000Z"),
        (TimeFormat::Here(-5 * 3600), 1, "2026-11-21 09:30:05.2"),
        (TimeFormat::HereTime(10 * 3600), 0, "00:30:05"),
    ];
    for (format, digits, expected) in table {
        assert_eq!(format.format(at, &CLOCK, digits).as_deref(), Some(expected));
    }
    assert_eq!(
        TimeFormat::Trace
            .format(-1_500_000_000, &CLOCK, 1)
            .as_deref(),
        Some("-1.5")
    );
    assert_eq!(TimeFormat::Utc.format(at, &Clock::default(), 0), None);
    assert_eq!(TimeFormat::parse("here", 60), Some(TimeFormat::Here(60)));
    assert_eq!(TimeFormat::parse("noon", 0), None);
    let choice: TimeChoice = "utc-time".parse().expect("a word");
    assert_eq!(
        (choice.format(), choice.mark()),
        (TimeFormat::UtcTime, None)
    );
    let choice: TimeChoice = "mark:load begins".parse().expect("a mark");
    assert_eq!(
        (choice.format(), choice.mark()),
        (TimeFormat::Trace, Some("load begins"))
    );
    assert!("noon".parse::<TimeChoice>().is_err() && "mark:".parse::<TimeChoice>().is_err());
}
