//! Comparisons as people write them after `--where`: `Size>=64KiB`, `FileName=*.dll`, `Status!=0`, `calls=100..200`.
//!
//! Only the form is read here. What the name means, and what the value is compared with, is up to the caller.

/// A comparison as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison<'t> {
    /// What is compared; never empty.
    pub name: &'t str,
    /// How.
    pub operator: Operator,
    /// What it is compared with; may be empty.
    pub value: &'t str,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `=` or `==`: it matches a pattern, lies in a range, or is that number.
    Is,
    /// `!=`: it does not.
    IsNot,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// Each operator as it is written; those that begin like another one come first.
const WRITTEN: [(&str, Operator); 7] = [
    ("!=", Operator::IsNot),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("==", Operator::Is),
    ("=", Operator::Is),
    ("<", Operator::Less),
    (">", Operator::More),
];

impl<'t> Comparison<'t> {
    /// Returns the comparison in `text`.
    ///
    /// # Errors
    /// Why it is none, as the end of a sentence about it. `thing` is what should be compared, such as `field`.
    pub fn parse(text: &'t str, thing: &str) -> Result<Self, String> {
        let at = text.find(['=', '!', '<', '>']);
        let at = at.ok_or("it has no =, !=, <, <=, > or >=")?;
        let (name, rest) = text.split_at(at);
        let name = name.trim();
        if name.is_empty() {
            return Err(format!("it names no {thing}"));
        }
        let mut written = WRITTEN.iter();
        let found = written.find_map(|(word, operator)| Some((rest.strip_prefix(word)?, operator)));
        let (value, &operator) = found.ok_or("! may only come before =")?;
        Ok(Self {
            name,
            operator,
            value: value.trim(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_read() {
        let parsed = |text| {
            let found = Comparison::parse(text, "field").unwrap();
            (found.name, found.operator, found.value)
        };
        assert_eq!(parsed("a=b"), ("a", Operator::Is, "b"));
        assert_eq!(parsed("a == b"), ("a", Operator::Is, "b"));
        assert_eq!(parsed("a!=b=c"), ("a", Operator::IsNot, "b=c"));
        assert_eq!(parsed("a < 1"), ("a", Operator::Less, "1"));
        assert_eq!(parsed("a<=1"), ("a", Operator::AtMost, "1"));
        assert_eq!(parsed("a>1"), ("a", Operator::More, "1"));
        assert_eq!(parsed("a>="), ("a", Operator::AtLeast, ""));
    }

    #[test]
    fn what_is_no_comparison_says_why() {
        let why = |text| Comparison::parse(text, "column").unwrap_err();
        assert_eq!(why("calls"), "it has no =, !=, <, <=, > or >=");
        assert_eq!(why(" >= 5"), "it names no column");
        assert_eq!(why("a!b"), "! may only come before =");
    }
}
