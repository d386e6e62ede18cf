//! Texts that rows of events refer to by number.

use crate::text::TextId;
use whyslow_model::FastMap;

/// The labels of one trace.
#[derive(Debug)]
pub struct Labels {
    pub(crate) all: Vec<TextId>,
    index: FastMap<TextId, u32>,
    limit: usize,
    /// Texts that have no number because of the limit.
    pub refused: u64,
}

impl Labels {
    /// Returns an empty set that keeps at most `limit` labels.
    pub fn new(limit: u32) -> Self {
        Self {
            all: Vec::new(),
            index: FastMap::default(),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            refused: 0,
        }
    }

    /// Returns the number of a text; `None` at the limit.
    pub fn number(&mut self, text: TextId) -> Option<u32> {
        if let Some(&known) = self.index.get(&text) {
            return Some(known);
        }
        let number = u32::try_from(self.all.len()).ok();
        let Some(number) = number.filter(|_| self.all.len() < self.limit) else {
            self.refused += 1;
            return None;
        };
        self.all.push(text);
        self.index.insert(text, number);
        Some(number)
    }

    /// Gives a number another text, which became known late.
    pub fn set(&mut self, number: u32, text: TextId) {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(known) = self.all.get_mut(at) {
            self.index.remove(known);
            *known = text;
            self.index.entry(text).or_insert(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Texts;

    #[test]
    fn a_text_has_one_number_and_beyond_the_limit_none() {
        let mut texts = Texts::new(1 << 20);
        let mut labels = Labels::new(2);
        let mut number = |text| labels.number(texts.intern(text).unwrap());
        assert_eq!(
            (number("a"), number("b"), number("a")),
            (Some(0), Some(1), Some(0))
        );
        assert_eq!((number("c"), number("b")), (None, Some(1)));
        assert_eq!(labels.refused, 1);
    }

    #[test]
    fn a_number_may_get_its_text_late() {
        let mut texts = Texts::new(1 << 20);
        let mut labels = Labels::new(8);
        let [late, other, known] = ["type 7", "a", "Event"].map(|text| texts.intern(text).unwrap());
        assert_eq!(
            (labels.number(late), labels.number(other)),
            (Some(0), Some(1))
        );
        labels.set(0, known);
        labels.set(9, known);
        assert_eq!(labels.all, [known, other]);
        // Its first text may come again, as that of something else.
        assert_eq!(
            (labels.number(known), labels.number(late)),
            (Some(0), Some(2))
        );
    }
}
