//! Copying into new memory: neither the copying nor the page faults that it causes may be much, but both together.

use crate::detector::Draft;
use crate::finding::{Confidence, Message, Value};
use whyslow_query::spans::Spans;
use whyslow_story::story::{Story, share};
use whyslow_story::work::{self, Work};

use super::{MOST, MUCH, Spoken, computed, spread};

const COPYING: &str = "copying";
const FAULTS: &str = "page-faults";

/// Where copying itself takes less than this part (one in so many) of both, the memory is the cause, not the copying.
const COPIES: i64 = 4;

/// Returns a draft for copying and the page faults in it, if neither of them is one by itself.
pub(super) fn find(story: &Story<'_>, parts: &[(&Work, Spans)]) -> Option<Draft> {
    let part = |name: &str| parts.iter().find(|(work, _)| work.class.name == name);
    let ((copying, copied), (faults, faulted)) = (part(COPYING)?, part(FAULTS)?);
    let of_own = |on: &Spans| share(on.ns(), story.own_ns());
    if of_own(copied) >= MUCH || of_own(faulted) >= MOST {
        return None;
    }
    let filling = work::within(story.code, faults, COPYING, &story.hot.stacks)?;
    let both = copying.and(&filling);
    if copying.ns.saturating_mul(COPIES) < both.ns {
        return None;
    }
    let mut spoken = Spoken::new();
    for (work, _) in parts {
        if ![COPYING, FAULTS].contains(&work.class.name.as_str()) {
            spread(story, work, &mut spoken);
        }
    }
    let on = spread(story, &both, &mut spoken);
    let mut draft = computed(story, &both, &on)?;
    draft.confidence = Confidence::Likely;
    let part = share(filling.ns, both.ns);
    Some(draft.fact("fault-share", Value::Share(part)).detail(Message::new(
        "For {fault-share} of that time the kernel provided new memory for the copies (page faults).",
    )))
}
