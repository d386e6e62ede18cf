//! From changes to intervals.

use whyslow_goroutines::{Ended, Intervals, State};

fn begun(pid: u32, id: u64, from_ns: u64, place: &'static str) -> Ended<&'static str> {
    Ended {
        pid,
        id,
        from_ns,
        until_ns: from_ns,
        state: State::Waiting,
        stands_for: 1,
        place,
    }
}

fn ends(ended: &[Ended<&'static str>]) -> Vec<(u64, u64, u64, &'static str)> {
    let part = |one: &Ended<&'static str>| (one.id, one.from_ns, one.until_ns, one.place);
    ended.iter().map(part).collect()
}

#[test]
fn what_a_goroutine_does_lasts_until_it_does_something_else() {
    let mut all = Intervals::default();
    assert_eq!(all.begin(begun(1, 5, 100, "lock")), None);
    assert_eq!(all.begin(begun(2, 5, 110, "other")), None);
    let first = all.begin(begun(1, 5, 250, "sleep"));
    assert_eq!(ends(&Vec::from_iter(first)), [(5, 100, 250, "lock")]);
    let second = all.end(1, 5, 300);
    assert_eq!(ends(&Vec::from_iter(second)), [(5, 250, 300, "sleep")]);
    assert_eq!(all.end(1, 5, 310), None);
    assert_eq!(ends(&all.finish(400)), [(5, 110, 400, "other")]);
}

#[test]
fn looks_that_are_told_after_the_end_of_their_process_count_no_more() {
    let mut all = Intervals::default();
    all.begin(begun(1, 5, 100, "lock"));
    all.begin(begun(1, 6, 100, "sleep"));
    let ended = all.end_process(1, 150);
    assert_eq!(
        ends(&ended),
        [(5, 100, 150, "lock"), (6, 100, 150, "sleep")]
    );
    assert!(!all.is_alive(1, 150) && all.is_alive(1, 151) && all.is_alive(2, 10));
    assert_eq!(all.end_process(1, 200), []);
    assert_eq!(all.finish(300), []);
}

#[test]
fn there_is_room_for_so_many_and_no_more() {
    let mut all = Intervals::default();
    for id in 0..70_000 {
        all.begin(begun(1, id, 100, "lock"));
    }
    assert_eq!(all.refused(), 70_000 - (1 << 16));
    assert_eq!(all.finish(200).len(), 1 << 16);
    all.begin(begun(3, 1, 300, "lock"));
    assert_eq!(all.refused(), 70_000 - (1 << 16));
}
