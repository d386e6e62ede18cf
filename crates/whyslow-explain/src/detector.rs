//! A detector looks for one mechanism and drafts findings; the registry turns drafts into findings.

use whyslow_model::StackId;

use crate::finding::{Confidence, Evidence, Message, Query, Shown, Value};
use whyslow_query::spans::Spans;
use whyslow_story::place::Place;
use whyslow_story::story::Story;

/// One mechanism.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detector {
    /// The causes it may name, each a stable id with its meaning; none for a detector that names
    /// classes of waits.
    pub(crate) causes: &'static [(&'static str, &'static str)],
    /// Looks for it.
    pub(crate) find: fn(&Story<'_>) -> Vec<Draft>,
}

/// The wall time a finding is about.
#[derive(Debug, Clone)]
pub(crate) enum Extent {
    /// Stretches of the path.
    On(Spans),
    /// Some amount of time; when is not known.
    Some(i64),
}

/// A finding before it is compared with others.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) cause: String,
    pub(crate) confidence: Confidence,
    pub(crate) extent: Extent,
    pub(crate) facts: Vec<(&'static str, Value)>,
    pub(crate) claim: Message,
    /// What happened, if other findings explain a part of the time.
    pub(crate) rest: Option<Message>,
    pub(crate) details: Vec<Message>,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) advice: Option<Message>,
    pub(crate) verify: Option<Message>,
}

impl Draft {
    /// Begins a draft; the fact `share` is added by the registry.
    pub(crate) fn new(cause: &str, confidence: Confidence, extent: Extent) -> Self {
        Self {
            cause: cause.to_owned(),
            confidence,
            extent,
            facts: Vec::new(),
            claim: Message::default(),
            rest: None,
            details: Vec::new(),
            evidence: Vec::new(),
            advice: None,
            verify: None,
        }
    }

    /// Adds a value.
    pub(crate) fn fact(mut self, name: &'static str, value: Value) -> Self {
        self.facts.push((name, value));
        self
    }

    /// Adds to the claim.
    pub(crate) fn claim(mut self, part: &'static str) -> Self {
        self.claim = self.claim.and(part);
        self
    }

    /// Says what happened if other findings explain a part of the time.
    pub(crate) fn rest(mut self, claim: &'static str) -> Self {
        self.rest = Some(Message::new(claim));
        self
    }

    /// Adds what else is known.
    pub(crate) fn detail(mut self, message: Message) -> Self {
        self.details.push(message);
        self
    }

    /// Adds what to do.
    pub(crate) fn advise(mut self, advice: &'static str) -> Self {
        self.advice = Some(Message::new(advice));
        self
    }

    /// Adds how to verify it.
    pub(crate) fn verify(mut self, verify: &'static str) -> Self {
        self.verify = Some(Message::new(verify));
        self
    }

    /// Adds rows of a table.
    pub(crate) fn rows(
        mut self,
        table: &'static str,
        (ns, count): (i64, i64),
        query: Query,
    ) -> Self {
        self.evidence.push(Evidence {
            shown: Shown::Rows(table),
            ns,
            count,
            query,
        });
        self
    }

    /// Adds a stack.
    pub(crate) fn stack(
        mut self,
        (id, place): (StackId, &Place),
        (ns, count): (i64, i64),
        query: Query,
    ) -> Self {
        let place = place.clone();
        self.evidence.push(Evidence {
            shown: Shown::Stack { id, place },
            ns,
            count,
            query,
        });
        self
    }
}
