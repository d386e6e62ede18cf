//! A thread's scheduling class and nice value, as its switches show them.

use whyslow_model::StateFlags;

use crate::interval::Interval;

/// Most changes that are kept.
const MOST: usize = 16;
/// What Linux counts real-time priorities down from, and what it adds to nice values.
const REAL_TIME: i32 = 99;
const NICE: i32 = 120;

/// How a thread was scheduled at a switch: its priority as Linux counts it, and whether it was of the idle class.
type Turn = (i32, bool);

/// How a thread was scheduled, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Scheduling {
    turns: Vec<Turn>,
    more: u64,
}

impl Scheduling {
    /// Adds an interval that follows the others.
    pub(super) fn add(&mut self, interval: &Interval) {
        let Some(priority) = interval.priority else {
            return;
        };
        let turn = (priority, interval.flags.has(StateFlags::IDLE_CLASS));
        if self.turns.last() == Some(&turn) {
            return;
        }
        match self.turns.len() < MOST {
            true => self.turns.push(turn),
            false => self.more += 1,
        }
    }

    /// Returns the changes in words; `None` without switches.
    pub(super) fn words(&self) -> Option<String> {
        let words: Vec<String> = self.turns.iter().map(|&turn| word(turn)).collect();
        let more = match self.more {
            0 => String::new(),
            1 => " and 1 more change".to_owned(),
            more => format!(" and {more} more changes"),
        };
        (!words.is_empty()).then(|| format!("{}{more}", words.join(", ")))
    }
}

fn word((priority, is_idle_class): Turn) -> String {
    match priority {
        _ if is_idle_class => "idle class".to_owned(),
        ..0 => "deadline".to_owned(),
        0..=REAL_TIME => format!("real-time {}", REAL_TIME - priority),
        nice => format!("nice {}", nice.saturating_sub(NICE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_in_order_and_not_without_end() {
        let mut all = Scheduling::default();
        assert_eq!(all.words(), None);
        for turn in [
            (120, false),
            (49, false),
            (139, false),
            (120, true),
            (-1, false),
        ] {
            all.turns.push(turn);
        }
        let words = "nice 0, real-time 50, nice 19, idle class, deadline";
        assert_eq!(all.words().as_deref(), Some(words));
        all.more = 1;
        assert_eq!(all.words(), Some(format!("{words} and 1 more change")));
        all.more = 2;
        assert_eq!(all.words(), Some(format!("{words} and 2 more changes")));
    }
}
