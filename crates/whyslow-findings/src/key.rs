//! The name by which a finding is known again in other recordings.

use whyslow_model::fnv::Fnv;

use crate::finding::{Finding, Value};

impl Finding {
    /// Returns a name that the same finding has in every recording, on every machine: its cause, and a short number
    /// made of what it is about and where. Numbers in names, such as those of processes, make no difference.
    #[must_use]
    pub fn key(&self) -> String {
        let mut hash = Fnv::default();
        for name in ["object", "place", "peer", "process"] {
            let value = self.fact(name).map(|value| without_numbers(&named(value)));
            hash.take(value.unwrap_or_default().as_bytes());
            hash.take(&[0]);
        }
        // All of it counts in the bits that are left.
        let all = hash.value();
        let parts = (0..128).step_by(20).map(|bits| all >> bits);
        let short = parts.fold(0, |short, part| short ^ part) & 0xf_ffff;
        format!("{}-{short:05x}", self.cause)
    }

    /// Returns what it is about: a file, a peer, or a process; empty if nothing is known.
    #[must_use]
    pub fn about(&self) -> String {
        let all = ["object", "peer", "place", "process"].into_iter();
        let known = all.filter_map(|name| self.fact(name)).map(named);
        known.filter(|text| !text.is_empty()).take(1).collect()
    }
}

/// Returns the name that a value gives.
fn named(value: &Value) -> String {
    match value {
        Value::Process(text) | Value::Text(text) | Value::Path { full: text, .. } => text.clone(),
        Value::Place(place) => place.functions().collect::<Vec<_>>().join(" "),
        Value::Class { name, .. } => name.clone(),
        Value::Shares(all) => all
            .first()
            .map_or_else(String::new, |(name, _)| name.clone()),
        Value::Share(_)
        | Value::Time(_)
        | Value::Count(_)
        | Value::Ratio(_)
        | Value::Figure(..) => String::new(),
    }
}

/// Replaces each number by one character.
fn without_numbers(text: &str) -> String {
    let mut shorter = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            true if shorter.ends_with('#') => {}
            true => shorter.push('#'),
            false => shorter.push(letter),
        }
    }
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_make_no_difference() {
        assert_eq!(without_numbers("/tmp/a-24769/b2"), "/tmp/a-#/b#");
        assert_eq!(without_numbers(""), "");
    }
}
