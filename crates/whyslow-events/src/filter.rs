//! Which events match: by kind, time, process, thread and fields, the cheapest first.

use whyslow_query::{Clock, NamePattern, Pattern, QueryError, Selection};

use crate::condition::{BadCondition, Condition};
use crate::seen::Seen;

/// Which events are wanted, beside what a selection says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Pattern of providers, by name or GUID.
    pub provider: Option<&'a str>,
    /// Pattern of events, by name, `provider/name` or id.
    pub event: Option<&'a str>,
    /// Conditions on fields, as `Size>=64KiB`; all must hold.
    pub conditions: &'a [String],
}

/// Lets matching events pass.
#[derive(Debug)]
pub struct Filter {
    provider: Option<Pattern>,
    event: Option<Pattern>,
    process: Option<NamePattern>,
    thread: Option<NamePattern>,
    selection: Selection,
    /// `[from, to)` in nanoseconds since the start of the trace that is being read.
    window_ns: (i64, i64),
    conditions: Vec<Condition>,
    /// By kind of event, whether its provider and name match.
    kinds: Vec<Option<bool>>,
}

impl Filter {
    /// Returns a filter for processes, threads and times of `selection`.
    ///
    /// # Errors
    /// When a condition is none.
    pub fn new(wanted: Wanted<'_>, selection: &Selection) -> Result<Self, BadCondition> {
        let conditions = wanted.conditions.iter();
        let conditions = conditions.map(|text| Condition::parse(text));
        Ok(Self {
            provider: wanted.provider.map(Pattern::parse),
            event: wanted.event.map(Pattern::parse),
            process: selection.processes.clone(),
            thread: selection.threads.clone(),
            selection: selection.clone(),
            window_ns: (i64::MIN, i64::MAX),
            conditions: conditions.collect::<Result<_, _>>()?,
            kinds: Vec::new(),
        })
    }

    /// Begins a trace, whose kinds of events have numbers of their own.
    pub(crate) fn begin(&mut self, trace: &str, clock: &Clock) -> Result<(), QueryError> {
        let window = self.selection.window(trace, clock)?;
        self.window_ns = window.unwrap_or((i64::MIN, i64::MAX));
        self.kinds.clear();
        Ok(())
    }

    /// Returns whether no event from `time_ns` on can match.
    #[inline]
    pub(crate) fn is_over(&self, time_ns: i64) -> bool {
        time_ns >= self.window_ns.1
    }

    /// Returns whether an event matches.
    #[inline]
    pub(crate) fn matches(&mut self, seen: &Seen<'_>) -> bool {
        self.matches_kind(seen)
            && (self.window_ns.0..self.window_ns.1).contains(&seen.time_ns)
            && self.matches_owner(seen)
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(seen))
    }

    #[inline]
    fn matches_kind(&mut self, seen: &Seen<'_>) -> bool {
        if self.provider.is_none() && self.event.is_none() {
            return true;
        }
        if self.kinds.len() <= seen.kind {
            self.kinds.resize(seen.kind + 1, None);
        }
        let (provider, event) = (&self.provider, &self.event);
        let Some(known) = self.kinds.get_mut(seen.kind) else {
            return false;
        };
        *known.get_or_insert_with(|| {
            let what = seen.what;
            let whole = format!("{}/{}", what.provider, what.event);
            let by_provider = |pattern: &Pattern| {
                pattern.matches(&what.provider) || pattern.matches(&what.provider_id)
            };
            let names = [&*what.event, &whole, &what.id];
            let by_event = |pattern: &Pattern| pattern.matches_any(&names);
            provider.as_ref().is_none_or(by_provider) && event.as_ref().is_none_or(by_event)
        })
    }

    fn matches_owner(&self, seen: &Seen<'_>) -> bool {
        let by_process = |pattern: &NamePattern| {
            let name = seen.process.map_or("", |name| name);
            seen.pid.is_some() && pattern.matches(name, seen.pid.unwrap_or(-1))
        };
        let by_thread = |pattern: &NamePattern| {
            seen.tid.is_some() && pattern.matches(seen.thread, seen.tid.unwrap_or(-1))
        };
        self.process.as_ref().is_none_or(by_process) && self.thread.as_ref().is_none_or(by_thread)
    }
}
