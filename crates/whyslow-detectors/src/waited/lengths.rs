//! How many waits there were, and how long they took.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::path::{MOST_LENGTHS, WaitGroup};

/// Adds how many waits there were, and how long they took.
pub(super) fn add(groups: &[&WaitGroup], draft: Draft) -> Draft {
    let mut lengths: Vec<i64> = Vec::new();
    for group in groups {
        lengths.extend(&group.lengths_ns);
    }
    lengths.sort_unstable();
    let (Some(&shortest), Some(&longest)) = (lengths.first(), lengths.last()) else {
        return draft;
    };
    // The path saw only parts of the others.
    let (seen_ns, all_ns) = (sum(&lengths), groups.iter().map(|group| group.ns));
    let all_ns = all_ns.fold(0_i64, i64::saturating_add);
    let is_whole = lengths.len() >= MOST_LENGTHS || seen_ns.saturating_mul(2) >= all_ns;
    if lengths.len() < 3 || !is_whole {
        return draft;
    }
    let typical = lengths[lengths.len() / 2];
    let alike = (longest - shortest).saturating_mul(100) <= typical;
    let draft = draft
        .fact("typical", Value::Time(typical))
        .fact("longest", Value::Time(longest));
    if let Some((few, least)) = few_long(&lengths) {
        let count = groups.iter().map(|group| group.count);
        let few = of_all(few, groups, count.fold(0_i64, i64::saturating_add));
        let Some(few) = few else {
            return draft.detail(Message::new(
                "{count} waits, {typical} typically, {longest} at most.",
            ));
        };
        return draft
            .fact("few", Value::Count(few))
            .fact("least", Value::Time(least))
            .detail(Message::new(match few {
                1 => "{count} waits; the longest one, {longest}, has most of the time.",
                _ if (longest - least).saturating_mul(100) <= longest => {
                    "{count} waits; {few} of them, {longest} each, have most of the time."
                }
                _ => "{count} waits; {few} of them, {least} to {longest} each, have most of the time.",
            }));
    }
    draft.detail(Message::new(match alike {
        true => "{count} waits of {typical} each, all within 1 %.",
        false => "{count} waits, {typical} typically, {longest} at most.",
    }))
}

fn sum(lengths: &[i64]) -> i64 {
    lengths.iter().copied().fold(0, i64::saturating_add)
}

/// This percentage is most of the time.
const MOST: i64 = 80;

/// A few are at most so many, and at most one in so many of all; or, of many, at most one in so many.
const FEW: usize = 10;
const OF_ALL: usize = 3;
const OF_MANY: usize = 5;

/// Returns how many of the longest waits have most of the time, and the shortest of these, if they are few. The
/// lengths are in order.
fn few_long(lengths: &[i64]) -> Option<(i64, i64)> {
    let all: i128 = lengths.iter().map(|&ns| i128::from(ns)).sum();
    let mut sum = 0_i128;
    for (at, &ns) in lengths.iter().rev().enumerate() {
        sum += i128::from(ns);
        if sum > 0 && sum * 100 >= all * i128::from(MOST) {
            let few = at + 1;
            let of_all = if few <= FEW { OF_ALL } else { OF_MANY };
            let is_few = few * of_all <= lengths.len();
            return is_few.then_some((i64::try_from(few).ok()?, ns));
        }
    }
    None
}

/// Returns how many of all the waits are as long as `few` of those whose lengths are known; `None` if some lengths of one
/// of several groups are not.
fn of_all(few: i64, groups: &[&WaitGroup], all: i64) -> Option<i64> {
    let known: Vec<usize> = groups.iter().map(|group| group.lengths_ns.len()).collect();
    scaled(few, &known, all)
}

/// The same; `known`: how many lengths of each group are known.
fn scaled(few: i64, known: &[usize], all: i64) -> Option<i64> {
    match known {
        known if known.iter().all(|&known| known < MOST_LENGTHS) => Some(few),
        &[known] => {
            let known = i64::try_from(known).unwrap_or(i64::MAX).max(1);
            Some(few.saturating_mul(all.max(known)) / known)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{few_long, scaled};

    #[test]
    fn a_tenth_of_many_waits_may_have_most_of_the_time() {
        let mut lengths = vec![1; 900];
        lengths.extend([100; 100]);
        assert_eq!(few_long(&lengths), Some((88, 100)));
        let lengths: Vec<i64> = (1..=1000).collect();
        assert_eq!(few_long(&lengths), None);
    }

    #[test]
    fn of_the_waits_whose_lengths_are_not_known_as_many_are_long() {
        assert_eq!(scaled(89, &[1000], 1200), Some(89));
        assert_eq!(scaled(89, &[3000, 3000], 7000), Some(89));
        assert_eq!(scaled(400, &[4096], 40_960), Some(4000));
        assert_eq!(scaled(10, &[4096, 10], 41_010), None);
    }

    #[test]
    fn a_few_long_waits_say_more_than_a_typical_one() {
        assert_eq!(few_long(&[1, 1, 1, 1, 1, 100, 110]), Some((2, 100)));
        assert_eq!(few_long(&[1, 1, 1, 1, 1, 1, 1, 200]), Some((1, 200)));
        assert_eq!(few_long(&[10, 11, 12, 13]), None);
        assert_eq!(few_long(&[]), None);
        assert_eq!(few_long(&[0, 0, 0, 0]), None);
    }
}
