//! Which of two records of one switch is written.

use super::{Duplicates, Verdict};

/// Feeds `(has_stack, payload)` and returns what would be written, `+` for with stack.
fn written(events: &[(bool, u8)]) -> String {
    let mut duplicates = Duplicates::default();
    let mut out = Vec::new();
    for (time_ns, &(has_stack, payload)) in (1..).zip(events) {
        let record = [payload];
        if has_stack {
            if duplicates.full(&record, time_ns) {
                duplicates.release(|held| out.push((held[0], ' ')));
                out.push((payload, '+'));
            }
        } else if duplicates.bare(&record) == Verdict::Hold {
            duplicates.release(|held| out.push((held[0], ' ')));
            duplicates.hold(&record, &record, time_ns);
        }
    }
    duplicates.release(|held| out.push((held[0], ' ')));
    out.iter()
        .map(|(payload, mark)| format!("{}{mark}", char::from(*payload)))
        .collect()
}

#[test]
fn duplicate_after_the_one_with_stack_is_dropped() {
    assert_eq!(
        written(&[(true, b'a'), (false, b'a'), (false, b'b')]),
        "a+b "
    );
}

#[test]
fn duplicate_before_the_one_with_stack_is_dropped() {
    assert_eq!(
        written(&[(false, b'a'), (false, b'b'), (true, b'b'), (false, b'c')]),
        "a b+c "
    );
}

#[test]
fn equal_ones_in_a_row_are_all_counted() {
    // Four wake-ups of one thread, the third with a stack: five records, four written.
    let events = [
        (false, b'a'),
        (false, b'a'),
        (true, b'a'),
        (false, b'a'),
        (false, b'a'),
    ];
    assert_eq!(written(&events).len(), 8);
}

#[test]
fn duplicate_must_be_a_neighbor() {
    // A ping-pong: the duplicate came alive after the first one.
    assert_eq!(
        written(&[(true, b'a'), (false, b'b'), (false, b'a'), (false, b'b')]),
        "a+b a b "
    );
}

#[test]
fn those_with_stack_need_no_duplicate() {
    assert_eq!(
        written(&[(true, b'a'), (true, b'b'), (true, b'a')]),
        "a+b+a+"
    );
}

#[test]
fn double_overflow_is_one_event() {
    let mut duplicates = Duplicates::default();
    assert_eq!(duplicates.bare(b"a"), Verdict::Hold);
    duplicates.hold(b"a", b"a", 1);
    assert!(duplicates.full(b"a", 2));
    assert!(!duplicates.full(b"a", 2));
    assert!(duplicates.full(b"b", 3));
    assert!(!duplicates.full(b"b", 3));
    assert_eq!(duplicates.bare(b"b"), Verdict::Drop);
}

#[test]
fn what_is_held_waits_for_a_duplicate_beyond_the_end_of_a_round() {
    let mut duplicates = Duplicates::default();
    duplicates.hold(b"a", b"a", 1_000);
    duplicates.release_old(999, |_| panic!("too early"));
    let mut released = 0;
    duplicates.release_old(1_000, |_| released += 1);
    duplicates.release_old(1_000, |_| released += 1);
    assert_eq!(released, 1);
}

#[test]
fn two_wake_ups_of_the_same_nanosecond_are_both_there() {
    let mut duplicates = Duplicates::default();
    assert!(duplicates.full(b"a", 5));
    assert!(duplicates.full(b"b", 5));
    assert!(!duplicates.full(b"b", 5), "one that overflowed twice");
}
