//! Which events match: by kind, time, process, thread and fields, the cheapest first.

use whyslow_etl::Value;
use whyslow_etl::tracelogging::What as Step;
use whyslow_query::{Clock, Kind, NamePattern, Pattern, QueryError, Range, Selection};

use super::fields::text_of;
use super::seen::Seen;
use crate::args::EventsArgs;
use crate::failure::Failure;

/// The conditions of the command line.
#[derive(Debug)]
pub(super) struct Filter {
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
    /// Returns the filter that the command line asks for.
    pub(super) fn new(args: &EventsArgs, selection: &Selection) -> Result<Self, Failure> {
        let conditions = args.conditions.iter().map(|text| Condition::parse(text));
        Ok(Self {
            provider: args.provider.as_deref().map(Pattern::parse),
            event: args.event.as_deref().map(Pattern::parse),
            process: selection.processes.clone(),
            thread: selection.threads.clone(),
            selection: selection.clone(),
            window_ns: (i64::MIN, i64::MAX),
            conditions: conditions.collect::<Result<_, _>>()?,
            kinds: Vec::new(),
        })
    }

    /// Begins a trace, whose kinds of events have numbers of their own.
    pub(super) fn begin(&mut self, trace: &str, clock: &Clock) -> Result<(), QueryError> {
        let window = self.selection.window(trace, clock)?;
        self.window_ns = window.unwrap_or((i64::MIN, i64::MAX));
        self.kinds.clear();
        Ok(())
    }

    /// Returns whether no event from `time_ns` on can match.
    #[inline]
    pub(super) fn is_over(&self, time_ns: i64) -> bool {
        time_ns >= self.window_ns.1
    }

    /// Returns whether an event matches.
    #[inline]
    pub(super) fn matches(&mut self, seen: &Seen<'_>) -> bool {
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

/// A condition on a field.
#[derive(Debug)]
struct Condition {
    field: Pattern,
    test: Test,
}

#[derive(Debug)]
enum Test {
    Is(Wanted),
    IsNot(Wanted),
    /// Whether a number compares so with this one.
    Compares(Comparison, i128),
}

/// What a value is wanted to be.
#[derive(Debug)]
struct Wanted {
    pattern: Pattern,
    number: Option<i128>,
    range: Option<Range>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Condition {
    fn parse(text: &str) -> Result<Self, Failure> {
        let bad = |why: &str| {
            Failure::usage(format!("{text:?} is no condition on a field: {why}"))
                .hint("conditions are 'FileName=*.dll', 'Status!=0', 'Size>=64k', 'Size=1k..4k'")
        };
        let at = text.find(['=', '!', '<', '>']);
        let at = at.ok_or_else(|| bad("it has no =, !=, <, <=, > or >="))?;
        let (field, rest) = text.split_at(at);
        let field = field.trim();
        if field.is_empty() {
            return Err(bad("it names no field"));
        }
        let operators = ["!=", "<=", ">=", "==", "=", "<", ">"];
        let operator = operators.into_iter().find(|op| rest.starts_with(op));
        let operator = operator.ok_or_else(|| bad("! stands before = only"))?;
        let value = rest.get(operator.len()..).unwrap_or_default().trim();
        let comparison = match operator {
            "<" => Some(Comparison::Less),
            "<=" => Some(Comparison::AtMost),
            ">" => Some(Comparison::More),
            ">=" => Some(Comparison::AtLeast),
            _ => None,
        };
        let test = match (comparison, operator) {
            (Some(comparison), _) => {
                let number = number(value).ok_or_else(|| bad("only numbers compare"))?;
                Test::Compares(comparison, number)
            }
            (None, "!=") => Test::IsNot(Wanted::new(value)),
            (None, _) => Test::Is(Wanted::new(value)),
        };
        Ok(Self {
            field: Pattern::parse(field),
            test,
        })
    }

    /// Returns whether any field of the event, or any element of one, meets the condition.
    fn holds(&self, seen: &Seen<'_>) -> bool {
        (seen.fields)().any(|field| {
            let Step::Value(value) = field.item.what else {
                return false;
            };
            if !self.field.matches(&field.item.name.to_string()) {
                return false;
            }
            let name = || field.value_name();
            match &self.test {
                Test::Is(wanted) => wanted.is(&value, name().as_deref()),
                Test::IsNot(wanted) => !wanted.is(&value, name().as_deref()),
                Test::Compares(comparison, with) => {
                    number_of(&value).is_some_and(|number| comparison.holds(number, *with))
                }
            }
        })
    }
}

impl Wanted {
    fn new(text: &str) -> Self {
        Self {
            // An empty text is wanted as such, not as any.
            pattern: Pattern::parse(text),
            number: number(text),
            range: text
                .contains("..")
                .then(|| Range::parse(text, Kind::Count).ok())
                .flatten(),
        }
    }

    fn is(&self, value: &Value<'_>, name: Option<&str>) -> bool {
        let number = number_of(value);
        if let (Some(range), Some(number)) = (&self.range, number) {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            return range.contains(&whyslow_query::Value::Int(number));
        }
        if number.is_some() && number == self.number {
            return true;
        }
        name.is_some_and(|name| self.pattern.matches(name))
            || self.pattern.matches(&text_of(value, usize::MAX))
    }
}

impl Comparison {
    fn holds(self, number: i128, with: i128) -> bool {
        match self {
            Self::Less => number < with,
            Self::AtMost => number <= with,
            Self::More => number > with,
            Self::AtLeast => number >= with,
        }
    }
}

/// Returns the number that a text stands for: decimal, with `k`, `M` or `G` behind it, or `0x…`.
fn number(text: &str) -> Option<i128> {
    if let Some(hex) = text.strip_prefix("0x") {
        return i128::from_str_radix(hex, 16).ok();
    }
    let (digits, factor) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (text.get(..at)?, 1_000),
        (at, 'm' | 'M') => (text.get(..at)?, 1_000_000),
        (at, 'g' | 'G') => (text.get(..at)?, 1_000_000_000),
        _ => (text, 1),
    };
    digits.parse::<i128>().ok()?.checked_mul(factor)
}

/// Returns the number that a value is.
fn number_of(value: &Value<'_>) -> Option<i128> {
    match value {
        Value::Signed(number) => Some(i128::from(*number)),
        #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
        Value::Float(number) => Some(*number as i128),
        other => other.as_u64().map(i128::from),
    }
}
