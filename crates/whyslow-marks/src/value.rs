//! The number that a mark may have: a text `NAME=NUMBER` is a value.

/// Returns the name and the number of a mark's text, if it is a value such as `requests=17`.
///
/// The name has no blanks; the number may have decimals and an exponent.
pub fn value(text: &str) -> Option<(&str, f64)> {
    let (name, number) = text.split_once('=')?;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    // Words such as "inf" are not numbers here.
    let is_plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let number = Some(number).filter(|number| number.chars().all(is_plain))?;
    let number: f64 = number.parse().ok()?;
    (is_name && number.is_finite()).then_some((name, number))
}

/// Returns the text if it is a value.
///
/// # Errors
/// What a value looks like.
pub fn named_number(text: &str) -> Result<String, &'static str> {
    match value(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("write a name and a number, such as requests=17"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_a_name_and_a_number() {
        assert_eq!(value("requests=17"), Some(("requests", 17.0)));
        assert_eq!(value("p99.ms=-1.5e3"), Some(("p99.ms", -1500.0)));
        for other in [
            "",
            "=3",
            "a b=3",
            "requests=",
            "requests=17ms",
            "x=inf",
            "x=1e999",
            "a=b=1",
        ] {
            assert_eq!(value(other), None, "{other:?}");
        }
    }
}
