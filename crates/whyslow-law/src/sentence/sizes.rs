//! Sizes in words: `50,000 files`, or `n = 50,000` where *n* counts nothing that has a name.

/// What *n* counts, in the words of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes<'a>(pub(super) &'a str);

impl Sizes<'_> {
    fn is_n(self) -> bool {
        self.0 == "n"
    }

    /// Returns a size: `50,000 files`, `n = 50,000`.
    pub(super) fn exactly(self, n: f64) -> String {
        match self.is_n() {
            true => format!("n = {}", number(n)),
            false => format!("{} {}", number(n), self.0),
        }
    }

    /// Returns a size that is known about: `about 50,000 files`, `about n = 50,000`.
    pub(super) fn about(self, n: f64) -> String {
        format!("about {}", self.exactly(n))
    }

    /// Returns where something costs what it does: `with 50,000 files`, `at n = 50,000`.
    pub(super) fn at(self, n: f64) -> String {
        let before = if self.is_n() { "at" } else { "with" };
        format!("{before} {}", self.exactly(n))
    }

    /// Returns a range of sizes: `from 1 to 50,000 files`, `from n = 1 to n = 50,000`.
    pub(super) fn span(self, from: f64, to: f64) -> String {
        match self.is_n() {
            true => format!("from n = {} to n = {}", number(from), number(to)),
            false => format!("from {} to {}", number(from), self.exactly(to)),
        }
    }

    /// Returns what a cost may depend on: `the number of files`, `n`.
    pub(super) fn count(self) -> String {
        match self.is_n() {
            true => "n".to_owned(),
            false => format!("the number of {}", self.0),
        }
    }

    /// Returns the beginning of the series, measured again: `with few files`, `with small n`.
    pub(super) fn few(self) -> String {
        match self.is_n() {
            true => "with small n".to_owned(),
            false => format!("with few {}", self.0),
        }
    }
}

/// Returns a number with its thousands in groups, rounded to three digits from 10,000.
pub(super) fn number(n: f64) -> String {
    let mut rounded = n.round();
    let mut unit = 1.0;
    while rounded / unit >= 1e3 && rounded >= 1e4 {
        unit *= 10.0;
    }
    if unit > 1.0 {
        rounded = (rounded / unit).round() * unit;
    }
    let digits = format!("{rounded:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_round() {
        assert_eq!(number(317_441.0), "317,000");
        assert_eq!(number(10_550.0), "10,600");
        assert_eq!(number(9_999.0), "9,999");
        assert_eq!(number(12.0), "12");
    }

    #[test]
    fn sizes_have_a_name_or_are_n() {
        let (files, n) = (Sizes("files"), Sizes("n"));
        let said = |sizes: Sizes<'_>| [sizes.at(400.0), sizes.span(1.0, 400.0), sizes.count()];
        assert_eq!(
            said(files),
            [
                "with 400 files",
                "from 1 to 400 files",
                "the number of files"
            ]
        );
        assert_eq!(said(n), ["at n = 400", "from n = 1 to n = 400", "n"]);
    }
}
