//! What the command was seen doing by looks into `/proc`, where it could not be recorded when and why it waited.

use std::collections::BTreeMap;

use whyslow_model::SystemCall;
use whyslow_query::View;
use whyslow_query::error::QueryError;

use crate::recorded;

/// What the looks found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looks {
    /// How many looks there were.
    pub count: i64,
    /// What the thread that mattered was doing.
    pub seen: Vec<Seen>,
}

/// What the thread that mattered was doing in some of the looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// In how many looks.
    pub count: i64,
    /// The letter of its state.
    pub state: char,
    /// The system call that it was in.
    pub call: Option<SystemCall>,
    /// The kernel function in which it slept, if that is known.
    pub channel: Option<String>,
    /// The name of its process.
    pub process: String,
    /// What the call was about, if that is known.
    pub object: Option<String>,
}

impl Looks {
    pub(crate) fn read(view: View<'_>) -> Result<Self, QueryError> {
        Ok(Self::of(&recorded::facts_from(view, "sampled_")?))
    }

    /// Reads the facts of the recorder; what it does not understand it leaves out.
    fn of(facts: &BTreeMap<String, String>) -> Self {
        let number = |key: &str| facts.get(key)?.parse::<i64>().ok();
        let count = number("sampled_looks").unwrap_or(0).max(0);
        let waits = facts.iter().filter_map(|(key, value)| {
            let number = key.strip_prefix("sampled_wait.")?;
            let of = |kind: &str| facts.get(&format!("sampled_{kind}.{number}")).cloned();
            let mut words = value.split(' ');
            let mut word = || words.next();
            Some(Seen {
                count: word()?.parse().ok()?,
                state: word()?.chars().next()?,
                call: word()?.parse().ok().map(SystemCall),
                channel: word().filter(|name| *name != "-").map(str::to_owned),
                process: of("process").unwrap_or_default(),
                object: of("object"),
            })
        });
        let mut seen: Vec<Seen> = waits.filter(|seen| seen.count > 0).collect();
        seen.sort_by(|a, b| {
            b.count
                .cmp(&a.count)
                .then_with(|| a.process.cmp(&b.process))
        });
        Self { count, seen }
    }

    /// Returns what was seen waiting.
    pub fn waits(&self) -> impl Iterator<Item = &Seen> {
        self.seen.iter().filter(|seen| seen.state != 'R')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_the_recorder_are_understood_or_left_out() {
        let facts = [
            ("sampled_looks", "90"),
            ("sampled_wait.0", "40 S 230 hrtimer_nanosleep"),
            ("sampled_process.0", "my app"),
            ("sampled_wait.1", "50 R - -"),
            ("sampled_wait.2", "nonsense"),
            ("sampled_wait.3", "-1 S 0 x"),
            ("sampled_wait.4", "7 D 0 -"),
            ("sampled_object.4", "/tmp/a b"),
        ];
        let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let looks = Looks::of(&facts.into());
        assert_eq!((looks.count, looks.seen.len()), (90, 3));
        let waits: Vec<&Seen> = looks.waits().collect();
        assert_eq!(waits[0].process, "my app");
        assert_eq!(
            waits[0].call.map(SystemCall::spelled).as_deref(),
            Some("clock_nanosleep")
        );
        assert_eq!(waits[1].object.as_deref(), Some("/tmp/a b"));
        assert_eq!(waits[1].channel, None);
        assert_eq!(Looks::of(&BTreeMap::new()), Looks::default());
    }
}
