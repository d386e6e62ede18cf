//! Names of fields, to suggest a field for a name that no event has.

use std::collections::BTreeSet;

use crate::field::Step;
use crate::seen::Seen;

/// Maximum number of names kept.
const MOST_NAMES: usize = 1 << 12;
/// Number of events of one kind that are examined: the others have the same fields.
const MOST_EVENTS: u8 = 8;
/// Maximum number of suggested names.
const MOST_NEAR: usize = 3;

/// Names of the fields of events.
#[derive(Debug, Default)]
pub(crate) struct FieldNames {
    names: BTreeSet<String>,
    /// By kind of event: how many were examined.
    looked_at: Vec<u8>,
}

/// A field that no event has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no event has a field {name:?}")]
pub struct UnknownField {
    /// The name.
    pub name: String,
    /// The closest names, closest first.
    pub near: Vec<String>,
}

impl FieldNames {
    /// Notes the fields of an event.
    pub(crate) fn see(&mut self, seen: &Seen<'_>) {
        if self.looked_at.len() <= seen.kind {
            self.looked_at.resize(seen.kind + 1, 0);
        }
        let Some(looked_at) = self.looked_at.get_mut(seen.kind) else {
            return;
        };
        if *looked_at >= MOST_EVENTS {
            return;
        }
        *looked_at += 1;
        for field in (seen.fields)() {
            if matches!(field.step, Step::Value(_)) && self.names.len() < MOST_NAMES {
                self.names.insert(field.name.to_string());
            }
        }
    }

    /// Returns whether no event was seen that has a field.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the suggestion for a name that no event has.
    pub(crate) fn unknown(&self, name: &str) -> UnknownField {
        let wanted = name.to_lowercase();
        let rate = |of: &String| (distance(&wanted, &of.to_lowercase()), of.clone());
        let mut near: Vec<_> = self.names.iter().map(rate).collect();
        near.sort();
        let best = near.first().map_or(0, |(distance, _)| *distance);
        let near = near
            .into_iter()
            .take_while(|(distance, _)| *distance <= best + 1)
            .map(|(_, of)| of)
            .take(MOST_NEAR);
        UnknownField {
            name: name.to_owned(),
            near: near.collect(),
        }
    }
}

impl UnknownField {
    /// Returns the closest names as a question.
    pub fn advice(&self) -> String {
        format!("did you mean {}?", self.near.join(", "))
    }
}

/// Returns how many letters must be added, removed or changed to turn `b` into `a`; 1 if one name
/// contains the other.
fn distance(a: &str, b: &str) -> usize {
    if b.contains(a) || a.contains(b) && !b.is_empty() {
        return 1;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, of_a) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (to, of_b) in b.iter().enumerate() {
            let changed = diagonal + usize::from(of_a != *of_b);
            diagonal = row[to + 1];
            row[to + 1] = changed.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["FileName", "FileKey", "IrpPtr", "ImageFileName"];
        let names = FieldNames {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            looked_at: Vec::new(),
        };
        let of = |name: &str| names.unknown(name).near;
        assert_eq!(of("filenam")[0], "FileName");
        assert_eq!(of("FlieName")[0], "FileName");
        assert_eq!(of("Irp")[0], "IrpPtr");
        let advice = names.unknown("FileNames").advice();
        assert!(advice.starts_with("did you mean FileName"), "{advice}");
    }
}
