//! Which of two records of one switch is written.

use super::{Twins, Verdict};

/// Feeds `(has_stack, payload)` and returns what would be written, `+` for with stack.
fn written(events: &[(bool, u8)]) -> String {
    let mut twins = Twins::default();
    let mut out = Vec::new();
    for (time_ns, &(has_stack, payload)) in (1..).zip(events) {
        let record = [payload];
        if has_stack {
            if twins.full(&record, time_ns) {
                twins.release(|held| out.push((held[0], ' ')));
                out.push((payload, '+'));
            }
        } else if twins.bare(&record) == Verdict::Hold {
            twins.release(|held| out.push((held[0], ' ')));
            twins.hold(&record, &record, time_ns);
        }
    }
    twins.release(|held| out.push((held[0], ' ')));
    out.iter()
        .map(|(payload, mark)| format!("{}{mark}", char::from(*payload)))
        .collect()
}

#[test]
fn twin_after_the_one_with_stack_is_dropped() {
    assert_eq!(
        written(&[(true, b'a'), (false, b'a'), (false, b'b')]),
        "a+b "
    );
}

#[test]
fn twin_before_the_one_with_stack_is_dropped() {
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
fn twin_must_be_a_neighbor() {
    // A ping-pong: the twin came alive after the first one.
    assert_eq!(
        written(&[(true, b'a'), (false, b'b'), (false, b'a'), (false, b'b')]),
        "a+b a b "
    );
}

#[test]
fn those_with_stack_need_no_twin() {
    assert_eq!(
        written(&[(true, b'a'), (true, b'b'), (true, b'a')]),
        "a+b+a+"
    );
}

#[test]
fn double_overflow_is_one_event() {
    let mut twins = Twins::default();
    assert_eq!(twins.bare(b"a"), Verdict::Hold);
    twins.hold(b"a", b"a", 1);
    assert!(twins.full(b"a", 2));
    assert!(!twins.full(b"a", 2));
    assert!(twins.full(b"b", 3));
    assert!(!twins.full(b"b", 3));
    assert_eq!(twins.bare(b"b"), Verdict::Drop);
}

#[test]
fn what_is_held_waits_for_a_twin_beyond_the_end_of_a_round() {
    let mut twins = Twins::default();
    twins.hold(b"a", b"a", 1_000);
    twins.release_old(2_000, |_| panic!("too early"));
    let mut released = 0;
    twins.release_old(2_000_000, |_| released += 1);
    twins.release_old(2_000_000, |_| released += 1);
    assert_eq!(released, 1);
}
