//! Which of several containers and services a user means.

use std::fmt;

use super::Unit;

/// Most units that a message names.
const MOST_NAMED: usize = 6;

/// A container or a service, as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedUnit<'a> {
    /// The id of a container or its beginning; or its name, if it has no other id.
    Container(&'a str),
    /// The name of a service, with or without `.service`.
    Service(&'a str),
}

/// Where units are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitsOf {
    /// Among the processes that run now.
    Now,
    /// In a recording.
    Recording,
}

/// Why a name does not mean one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOne {
    /// No such unit has a process; these do, the most similar first.
    Unknown(Vec<String>),
    /// It is the beginning of several ids.
    Several(Vec<String>),
}

impl<'a> WantedUnit<'a> {
    /// Returns the one unit that is meant.
    ///
    /// # Errors
    /// When none is, or several are.
    pub fn among<'u>(
        self,
        units: impl Iterator<Item = &'u Unit> + Clone,
    ) -> Result<&'u Unit, NotOne> {
        let same_kind = units.filter(|unit| self.is_kind_of(unit));
        let exact = same_kind.clone().find(|unit| self.is_exactly(unit));
        if let Some(unit) = exact {
            return Ok(unit);
        }
        let fitting = same_kind.clone().filter(|unit| self.begins(unit));
        let fitting: Vec<&Unit> = fitting.collect();
        match fitting[..] {
            [unit] => Ok(unit),
            [] => Err(NotOne::Unknown(nearest(self.text(), same_kind))),
            _ => Err(NotOne::Several(nearest(self.text(), fitting.into_iter()))),
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Container(_) => "container",
            Self::Service(_) => "service",
        }
    }

    fn text(self) -> &'a str {
        match self {
            Self::Container(text) | Self::Service(text) => text,
        }
    }

    fn is_kind_of(self, unit: &Unit) -> bool {
        matches!(
            (self, unit),
            (Self::Container(_), Unit::Container { .. }) | (Self::Service(_), Unit::Service { .. })
        )
    }

    fn is_exactly(self, unit: &Unit) -> bool {
        match self {
            Self::Container(id) => unit.name() == id,
            Self::Service(name) => {
                let bare = name.strip_suffix(".service").unwrap_or(name);
                unit.name().strip_suffix(".service") == Some(bare)
            }
        }
    }

    fn begins(self, unit: &Unit) -> bool {
        match self {
            Self::Container(id) => {
                !id.is_empty() && unit.name().starts_with(&id.to_ascii_lowercase())
            }
            Self::Service(_) => false,
        }
    }
}

impl fmt::Display for WantedUnit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.text())
    }
}

impl NotOne {
    /// Returns what is wrong with the name.
    pub fn cause(&self, wanted: WantedUnit<'_>, of: UnitsOf) -> String {
        let with = match wanted {
            WantedUnit::Container(_) => "container with this id",
            WantedUnit::Service(_) => "service with this name",
        };
        match (self, of) {
            (Self::Several(_), _) => "several ids begin like this".to_owned(),
            (_, UnitsOf::Now) => format!("no {with} runs now"),
            (_, UnitsOf::Recording) => format!("no {with} is in the recording"),
        }
    }

    /// Returns what the user can do.
    pub fn advice(&self, wanted: WantedUnit<'_>, of: UnitsOf) -> String {
        let kind = wanted.kind();
        match (self, of) {
            (Self::Several(names), _) => format!("give more of one of {}", names.join(", ")),
            (Self::Unknown(names), _) if names.is_empty() => {
                let none = match of {
                    UnitsOf::Now => format!("no {kind} runs now"),
                    UnitsOf::Recording => format!("it shows no {kind}"),
                };
                format!("{none}; --process takes the name or pid of any process")
            }
            (Self::Unknown(names), UnitsOf::Now) => format!("running now: {}", names.join(", ")),
            (Self::Unknown(names), UnitsOf::Recording) => format!("it shows {}", names.join(", ")),
        }
    }
}

/// Returns the titles of the units, those most like `wanted` first. Ids are in full where they share their shown part.
fn nearest<'u>(wanted: &str, units: impl Iterator<Item = &'u Unit>) -> Vec<String> {
    let mut rated: Vec<_> = units
        .map(|unit| {
            let name = unit.name();
            let has_all = name.contains(wanted) && !wanted.is_empty();
            let alike = name.chars().zip(wanted.chars());
            let alike = alike.take_while(|(a, b)| a == b).count();
            (!has_all, std::cmp::Reverse(alike), unit)
        })
        .collect();
    rated.sort();
    let shown = rated.iter().take(MOST_NAMED).map(|(_, _, unit)| *unit);
    let shown: Vec<&Unit> = shown.collect();
    let is_twice = |unit: &Unit| {
        let same = shown.iter().filter(|other| other.title() == unit.title());
        same.count() > 1
    };
    let name = |unit: &&Unit| match is_twice(unit) {
        true => unit.name().to_owned(),
        false => short(unit),
    };
    shown.iter().map(name).collect()
}

/// Returns what a user has to type.
fn short(unit: &Unit) -> String {
    let title = unit.title();
    let title = title.strip_prefix("container ").unwrap_or(&title);
    title.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_means_none_is_answered_with_those_there_are() {
        let wanted = WantedUnit::Service("webs");
        let said = |units: &[Unit], of| {
            let why = wanted.among(units.iter()).unwrap_err();
            format!("{}; {}", why.cause(wanted, of), why.advice(wanted, of))
        };
        let units = Unit::all_of("/system.slice/web.service/inner.service");
        assert_eq!(
            said(&units, UnitsOf::Recording),
            "no service with this name is in the recording; it shows web.service, inner.service"
        );
        assert_eq!(
            said(&units, UnitsOf::Now),
            "no service with this name runs now; running now: web.service, inner.service"
        );
        assert_eq!(
            said(&[], UnitsOf::Recording),
            "no service with this name is in the recording; it shows no service; --process takes the name or pid \
             of any process"
        );
    }
}
