//! What a tracepoint's `print fmt` says about its numbers.
//!
//! *Folklore:* the bits of `sched_switch`'s `prev_state` are not stable: "still runnable" (`+`,
//! preempted) has been 1024, 2048, 4096 and 256 in different kernels, and the letters moved as
//! well. The kernel spells both out in the print format of the event, as expressions from its C
//! sources, and they are read from there:
//!
//! ```text
//! REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & (2048-1), "|", { 1, "S"} , …) : "R",
//! REC->prev_state & 2048 ? "+" : ""
//! ```

/// What the bits of `prev_state` of `sched_switch` mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchStates {
    /// Letter and bit of every state except running, such as `('S', 1)`.
    pub letters: Vec<(char, u64)>,
    /// The bit that says that the thread was preempted in the kernel, if there is one.
    pub preempted: Option<u64>,
}

impl SwitchStates {
    /// Returns the letter of the lowest state bit that is set, or `R` if none is.
    pub fn letter(&self, state: u64) -> char {
        let mut letters = self.letters.iter();
        letters
            .find(|(_, bit)| state & bit != 0)
            .map_or('R', |&(letter, _)| letter)
    }

    /// Returns whether the thread was still runnable: preempted, or no state bit set.
    pub fn is_runnable(&self, state: u64) -> bool {
        self.preempted.is_some_and(|bit| state & bit != 0) || self.letter(state) == 'R'
    }
}

pub(crate) fn switch_states(print: &str) -> Option<SwitchStates> {
    if !print.contains("REC->prev_state") {
        return None;
    }
    let letters = flags(print).into_iter();
    let letters: Vec<_> = letters
        .filter_map(|(name, bit)| Some((name.chars().next()?, bit)))
        .collect();
    let preempted = print.find("? \"+\"").and_then(|end| {
        let before = print.get(..end)?;
        let start = before.rfind("REC->prev_state")?;
        let condition = before.get(start..)?.trim_start_matches("REC->prev_state");
        Expression::value_of(condition.trim_start().strip_prefix('&')?)
    });
    Some(SwitchStates { letters, preempted })
}

pub(crate) fn flags(print: &str) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for part in print.split('{').skip(1) {
        let inside = part.split('}').next().unwrap_or_default();
        let Some((value, name)) = inside.split_once(',') else {
            continue;
        };
        if let Some(value) = Expression::value_of(value) {
            found.push((name.trim().trim_matches('"').to_owned(), value));
        }
    }
    found
}

/// A constant expression of C: numbers, parentheses, and `| + - <<` with C's precedence.
struct Expression<'a> {
    rest: &'a str,
    depth: u32,
}

/// Maximum nesting of parentheses.
const MOST_DEPTH: u32 = 64;

impl<'a> Expression<'a> {
    /// Returns the value, or `None` if `text` is anything else.
    fn value_of(text: &'a str) -> Option<u64> {
        let mut expression = Self {
            rest: text,
            depth: 0,
        };
        let value = expression.or()?;
        expression.rest.trim().is_empty().then_some(value)
    }

    fn or(&mut self) -> Option<u64> {
        let mut value = self.shift()?;
        while self.eat("|") {
            value |= self.shift()?;
        }
        Some(value)
    }

    fn shift(&mut self) -> Option<u64> {
        let mut value = self.sum()?;
        while self.eat("<<") {
            value = value.checked_shl(u32::try_from(self.sum()?).ok()?)?;
        }
        Some(value)
    }

    fn sum(&mut self) -> Option<u64> {
        let mut value = self.number()?;
        loop {
            if self.eat("+") {
                value = value.checked_add(self.number()?)?;
            } else if self.eat("-") {
                value = value.checked_sub(self.number()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn number(&mut self) -> Option<u64> {
        if self.eat("(") {
            self.depth += 1;
            if self.depth > MOST_DEPTH {
                return None;
            }
            let value = self.or()?;
            self.depth -= 1;
            return self.eat(")").then_some(value);
        }
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric());
        let (word, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
        self.rest = rest;
        let word = word.trim_end_matches(['u', 'U', 'l', 'L']);
        match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => word.parse().ok(),
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_the_kernel() {
        let check = |text: &str, value: Option<u64>| assert_eq!(Expression::value_of(text), value);
        check("2048", Some(2048));
        check(" (2048-1) ", Some(2047));
        check("0x00000100UL", Some(256));
        check("((((0x00000000 | 0x1 | 0x40) + 1) << 1) - 1)", Some(131));
        check("1 << 70", None);
        check("1 - 2", None);
        check("REC->flags", None);
        check(&"(".repeat(100_000), None);
        check("", None);
    }

    #[test]
    fn states_of_three_kernels() {
        let old = r#""x", REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & (2048-1), "|", { 1, "S"} , { 2, "D" }, { 1024, "N" }) : "R", REC->prev_state & 2048 ? "+" : "", REC->next_comm"#;
        let states = switch_states(old).expect("has states");
        assert_eq!(states.letters, [('S', 1), ('D', 2), ('N', 1024)]);
        assert_eq!(states.preempted, Some(2048));
        assert!(states.is_runnable(0) && states.is_runnable(2048) && !states.is_runnable(2));

        let new = r#""x", (REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000040) + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000080, "I" }) : "R", REC->prev_state & (((0x00000000 | 0x00000001 | 0x00000040) + 1) << 1) ? "+" : "", REC->next_comm"#;
        let states = switch_states(new).expect("has states");
        assert_eq!(states.preempted, Some(0x84));
        assert_eq!(states.letter(0x80), 'I');

        let none = r#""x", REC->prev_state ? __print_flags(REC->prev_state, "|", { 1, "S"}) : "R", REC->next_comm"#;
        assert_eq!(switch_states(none).map(|s| s.preempted), Some(None));
        assert_eq!(switch_states("\"%d\", REC->pid"), None);
    }
}
