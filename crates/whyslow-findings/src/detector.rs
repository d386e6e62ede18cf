//! A detector looks for one mechanism and drafts findings; the registry turns drafts into findings.

use whyslow_model::StackId;

use crate::finding::{Confidence, Evidence, Message, Query, Shown, Value};
use whyslow_query::spans::Spans;
use whyslow_story::place::Place;
use whyslow_story::story::Story;

/// One mechanism.
#[derive(Debug, Clone, Copy)]
pub struct Detector {
    /// The causes it may name, each a stable id with its meaning; none for a detector that names
    /// classes of waits.
    pub causes: &'static [(&'static str, &'static str)],
    /// Looks for it.
    pub find: fn(&Story<'_>) -> Vec<Draft>,
}

/// The wall time a finding is about.
#[derive(Debug, Clone)]
pub enum Extent {
    /// Stretches of the path.
    On(Spans),
    /// Some amount of time; when is not known.
    Some(i64),
}

/// A finding before it is compared with others.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its stable id.
    pub cause: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// The wall time that it is about.
    pub extent: Extent,
    /// The values that messages name.
    pub facts: Vec<(&'static str, Value)>,
    /// What happened.
    pub claim: Message,
    /// What happened, if other findings explain a part of the time.
    pub rest: Option<Message>,
    /// What else is known.
    pub details: Vec<Message>,
    /// The rows and stacks that show it.
    pub evidence: Vec<Evidence>,
    /// What to do.
    pub advice: Option<Message>,
    /// How to see that it helped.
    pub verify: Option<Message>,
}

impl Draft {
    /// Begins a draft; the fact `share` is added by the registry.
    pub fn new(cause: &str, confidence: Confidence, extent: Extent) -> Self {
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
    pub fn fact(mut self, name: &'static str, value: Value) -> Self {
        self.facts.push((name, value));
        self
    }

    /// Says which process it is about, and begins the claim with it.
    pub fn of_process(self, story: &Story<'_>, process: &str) -> Self {
        self.fact("process", Value::Process(story.called(process)))
            .claim(match process == story.root_name() {
                true => "It",
                false => "{process}",
            })
    }

    /// Adds to the claim.
    pub fn claim(mut self, part: &'static str) -> Self {
        self.claim = self.claim.and(part);
        self
    }

    /// Says what happened if other findings explain a part of the time.
    pub fn rest(mut self, claim: &'static str) -> Self {
        self.rest = Some(Message::new(claim));
        self
    }

    /// Adds what else is known.
    pub fn detail(mut self, message: Message) -> Self {
        self.details.push(message);
        self
    }

    /// Adds what to do.
    pub fn advise(mut self, advice: &'static str) -> Self {
        self.advice = Some(Message::new(advice));
        self
    }

    /// Adds how to verify it.
    pub fn verify(mut self, verify: &'static str) -> Self {
        self.verify = Some(Message::new(verify));
        self
    }

    /// Adds rows of a table.
    pub fn rows(mut self, table: &'static str, (ns, count): (i64, i64), query: Query) -> Self {
        self.evidence.push(Evidence {
            shown: Shown::Rows(table),
            ns,
            count,
            query,
        });
        self
    }

    /// Adds a stack.
    pub fn stack(
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
