//! Between which marks the time of a finding lies.

use whyslow_query::Marks;
use whyslow_query::spans::Spans;
use whyslow_story::story::share;

use crate::finding::{Finding, Message, Value};

/// Between two marks lies what has at least this percentage of its time there.
const MOSTLY: f64 = 80.0;

/// If this percentage of the command's time lies there, everything does, and it says nothing.
const NEARLY_ALL: f64 = 95.0;

/// The most stretches into which a person divides a run.
const MOST: usize = 50;

/// The stretches into which marks cut the command's time.
#[derive(Debug, Default)]
pub(crate) struct Marked(Vec<Stretch>);

#[derive(Debug)]
struct Stretch {
    span_ns: (i64, i64),
    /// The marks at which it begins and ends.
    after: Option<String>,
    before: Option<String>,
}

impl Marked {
    /// Cuts `span_ns`, the command's time.
    pub(crate) fn new(marks: &Marks, span_ns: (i64, i64)) -> Self {
        let (start, end) = span_ns;
        let mut all = Vec::new();
        let mut last = (start, None);
        let within = |&(ns, _): &(i64, String)| start < ns && ns < end;
        for (ns, name) in marks.named().into_iter().filter(within) {
            let (from, after) = std::mem::replace(&mut last, (ns, Some(name.clone())));
            all.push(Stretch {
                span_ns: (from, ns),
                after,
                before: Some(name),
            });
        }
        // Without marks there is nothing to say.
        if last.1.is_some() {
            all.push(Stretch {
                span_ns: (last.0, end),
                after: last.1,
                before: None,
            });
        }
        // So many marks say something else than where a phase begins, or are another program's.
        if all.len() > MOST {
            all.clear();
        }
        let wall_ns = end.saturating_sub(start);
        all.retain(|one| share(one.span_ns.1 - one.span_ns.0, wall_ns) < NEARLY_ALL);
        Self(all)
    }

    /// Says between which marks the time of a finding, `on`, mostly lies.
    pub(crate) fn tell(&self, finding: &mut Finding, on: &Spans) {
        let part = |one: &Stretch| on.within(one.span_ns.0, one.span_ns.1);
        let Some(most) = self.0.iter().max_by_key(|one| part(one)) else {
            return;
        };
        let there = share(part(most), on.ns());
        if on.ns() <= 0 || there < MOSTLY {
            return;
        }
        let sentence = match (&most.after, &most.before) {
            (Some(_), Some(_)) => {
                "{marked-share} of it between the marks '{after-mark}' and '{before-mark}'."
            }
            (Some(_), None) => "{marked-share} of it after the mark '{after-mark}'.",
            (None, _) => "{marked-share} of it before the mark '{before-mark}'.",
        };
        let mark = |name, mark: &Option<String>| Some((name, Value::Text(mark.clone()?)));
        finding.facts.push(("marked-share", Value::Share(there)));
        finding.facts.extend(mark("after-mark", &most.after));
        finding.facts.extend(mark("before-mark", &most.before));
        finding.details.push(Message::new(sentence));
    }
}
