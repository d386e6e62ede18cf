//! What is said of a mean that the typical operation does not explain.

use super::Wording;
use super::sizes::number;
use crate::bins::count;
use crate::law::{Judgement, Law};
use crate::measure::Measure;
use crate::paid::Paid;

/// Returns what an operation costs on average, if that is to lead the verdict.
pub(super) fn lead(judgement: &Judgement, wording: &Wording<'_>) -> Option<String> {
    let paid = judgement.paid.filter(|_| leads(judgement))?;
    let doing = wording.doing_within();
    let most = (wording.cost)(paid.most);
    let half = half(&paid, wording);
    if !paid.passes_differ() {
        return Some(format!("On average, {doing} costs {most}: {half}."));
    }
    let least = (wording.cost)(paid.least);
    Some(format!(
        "On average, {doing} costs {most} in the slowest of {} passes and {least} in the fastest: {} does not \
         explain the difference. In the slowest, {half}.",
        judgement.passes,
        wording.sizes().count()
    ))
}

/// Returns whether the mean leads the verdict and names the levels of the passes.
pub(super) fn names_levels(judgement: &Judgement) -> bool {
    leads(judgement) && judgement.paid.is_some_and(|paid| paid.passes_differ())
}

/// Returns whether the mean leads: nothing else that leads names it.
fn leads(judgement: &Judgement) -> bool {
    let tail = judgement.tail.as_ref();
    let leveled = judgement.levels.is_some() && judgement.law == Law::Constant && tail.is_none();
    judgement.paid.is_some() && !leveled && tail.is_none_or(|tail| tail.measure != Measure::Mean)
}

/// Returns which operations took half of the time.
fn half(paid: &Paid, wording: &Wording<'_>) -> String {
    let (from, of) = ((wording.cost)(paid.from), number(count(paid.of)));
    match paid.slow {
        1 => format!("half of the time went to one of {of} ({from})"),
        slow => format!(
            "half of the time went to the slowest {} of {of} ({from} or more each)",
            number(count(slow))
        ),
    }
}
