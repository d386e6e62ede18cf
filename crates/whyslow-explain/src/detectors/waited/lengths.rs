//! How many waits there were, and how long they took.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::path::WaitGroup;

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
    if lengths.len() < 3 {
        return draft;
    }
    let typical = lengths[lengths.len() / 2];
    let alike = (longest - shortest).saturating_mul(100) <= typical;
    let draft = draft
        .fact("typical", Value::Time(typical))
        .fact("longest", Value::Time(longest));
    draft.detail(Message::new(match alike {
        true => "{count} waits of {typical} each, all within 1 %.",
        false => "{count} waits, {typical} typically, {longest} at most.",
    }))
}
