//! Which events match: by kind, time, process, thread and fields, the cheapest first.

use whyslow_query::{Clock, NamePattern, Pattern, QueryError, Selection};

use crate::condition::{BadCondition, Condition};
use crate::field_names::{FieldNames, UnknownField};
use crate::seen::Seen;

/// Which events are wanted, in addition to a selection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Pattern of providers, by name or GUID, with or without braces.
    pub provider: Option<&'a str>,
    /// Pattern of events, by name, `provider/name` or id.
    pub event: Option<&'a str>,
    /// Conditions on fields, such as `Size>=64KiB`; all must hold.
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
    names: FieldNames,
    /// By kind of event, whether its provider and name match.
    kinds: Vec<Option<bool>>,
}

impl Filter {
    /// Returns a filter for processes, threads and times of `selection`.
    ///
    /// # Errors
    /// When a condition is invalid.
    pub fn new(wanted: Wanted<'_>, selection: &Selection) -> Result<Self, BadCondition> {
        let conditions = wanted.conditions.iter();
        let conditions = conditions.map(|text| Condition::parse(text));
        Ok(Self {
            provider: wanted
                .provider
                .map(|text| Pattern::parse(&without_braces(text))),
            event: wanted.event.map(Pattern::parse),
            process: selection.processes.clone(),
            thread: selection.threads.clone(),
            selection: selection.clone(),
            window_ns: (i64::MIN, i64::MAX),
            conditions: conditions.collect::<Result<_, _>>()?,
            names: FieldNames::default(),
            kinds: Vec::new(),
        })
    }

    /// Starts a trace, whose kinds of events have numbers of their own.
    pub(crate) fn begin(&mut self, trace: &str, clock: &Clock) -> Result<(), QueryError> {
        let window = self.selection.window(trace, clock, None)?;
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
            && self.meets_conditions(seen)
    }

    #[inline]
    fn meets_conditions(&mut self, seen: &Seen<'_>) -> bool {
        let unknown = self.conditions.iter().filter_map(Condition::unknown_field);
        if unknown.count() == 0 {
            return self.conditions.iter_mut().all(|of| of.holds(seen));
        }
        // Until each field has been seen, all fields are checked.
        self.names.see(seen);
        let conditions = self.conditions.iter_mut();
        conditions
            .filter_map(|of| (!of.holds(seen)).then_some(()))
            .count()
            == 0
    }

    /// Returns the first field of a condition that no event had, among the events whose fields were
    /// checked; `None` if none were checked.
    pub fn unknown_field(&self) -> Option<UnknownField> {
        let mut unknown = self.conditions.iter().filter_map(Condition::unknown_field);
        let name = unknown.next().filter(|_| !self.names.is_empty())?;
        Some(self.names.unknown(name))
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

/// Returns a pattern without the braces around GUIDs that many tools write.
fn without_braces(text: &str) -> String {
    let words = text.split(';').map(|word| {
        let word = word.trim();
        let (not, word) = word
            .strip_prefix('!')
            .map_or(("", word), |word| ("!", word));
        let guid = word
            .strip_prefix('{')
            .and_then(|word| word.strip_suffix('}'));
        format!("{not}{}", guid.unwrap_or(word))
    });
    words.collect::<Vec<_>>().join(";")
}
