//! Whole numbers as people write them: `300k`, `1e6`, `300,000`, `1_000_000`.

/// Returns the number that `text` means; commas and underscores may group its digits.
///
/// # Errors
/// When it is not a whole number.
pub fn count(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let grouped = text.contains(',');
    if !grouped {
        return whole(text);
    }
    let (digits, unit) = split(text);
    let mut groups = digits.split(',');
    let first = groups
        .next()
        .is_some_and(|first| (1..=3).contains(&first.len()));
    if first && groups.all(|group| group.len() == 3) {
        return whole(&format!("{}{unit}", digits.replace(',', "")));
    }
    Err(unfit(text))
}

/// Returns the numbers of a list with commas, each at most `most`. Here a comma never groups digits.
///
/// # Errors
/// When one is not a whole number, or too large.
pub(crate) fn counts(text: &str, most: u64) -> Result<Vec<u64>, String> {
    text.split(',').map(|part| one_of(part, most)).collect()
}

/// Returns a number of a list.
///
/// # Errors
/// When it is not a whole number, or more than `most`.
pub(crate) fn one_of(part: &str, most: u64) -> Result<u64, String> {
    let part = part.trim();
    if part.len() == 3 && part.starts_with('0') {
        return Err(format!(
            "{part:?} looks like a group of digits, but commas separate the numbers of a list: write 300k or \
             300_000"
        ));
    }
    match whole(part)? {
        number if number > most => Err(format!("{part} is too many: at most {most}")),
        number => Ok(number),
    }
}

/// Returns the whole number that `text` means, without commas.
fn whole(text: &str) -> Result<u64, String> {
    let (digits, unit) = split(text);
    let power = match unit {
        "" => 0,
        "k" | "K" => 3,
        "m" | "M" => 6,
        "g" | "G" => 9,
        _ => match unit.strip_prefix(['e', 'E']).map(str::parse::<u32>) {
            Some(Ok(power)) if power <= 19 => power,
            _ => return Err(unfit(text)),
        },
    };
    scaled(digits, power).ok_or_else(|| unfit(text))
}

/// Returns `digits`, which may have a decimal point, times ten to the power of `power`, if that is whole.
fn scaled(digits: &str, power: u32) -> Option<u64> {
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let before = before.replace('_', "");
    let after = after.trim_end_matches('0');
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let more = power.checked_sub(u32::try_from(after.len()).ok()?)?;
    if before.is_empty() || !plain(&before) || !plain(after) || digits.ends_with('.') {
        return None;
    }
    let number: u64 = (before + after).parse().ok()?;
    number.checked_mul(10_u64.checked_pow(more)?)
}

/// Splits `text` where its digits end.
fn split(text: &str) -> (&str, &str) {
    let digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_');
    text.split_at(text.find(|c| !digit(c)).unwrap_or(text.len()))
}

fn unfit(text: &str) -> String {
    format!("{text:?} is not a whole number; 300000, 300k, 3e5 and 300,000 are")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_numbers_in_many_ways() {
        for text in [
            "300000", "300k", "300K", "3e5", "3E5", "0.3M", "300,000", "300_000", " 300.0k",
        ] {
            assert_eq!(count(text), Ok(300_000), "{text}");
        }
        assert_eq!(count("0"), Ok(0));
        assert_eq!(count("1,234,567"), Ok(1_234_567));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for text in [
            "",
            "x",
            "k",
            "-1",
            "+1",
            "1.5",
            "1.k",
            ".5k",
            "1.2345k",
            "3,00",
            "1,00,000",
            "1234,567",
            ",",
            "1e20",
            "1e-3",
            "1e",
            "99999999999999999999",
            "18446744073709551615k",
            "5 files",
            "1..2",
            "0x10",
            "٣",
        ] {
            assert!(count(text).is_err(), "{text}");
        }
        let why = count("many").expect_err("no number");
        assert_eq!(
            why,
            "\"many\" is not a whole number; 300000, 300k, 3e5 and 300,000 are"
        );
    }

    #[test]
    fn commas_separate_the_numbers_of_a_list() {
        assert_eq!(counts("1,5, 20", 500), Ok(vec![1, 5, 20]));
        assert_eq!(
            counts("1k,2e3,100,200", u64::MAX),
            Ok(vec![1_000, 2_000, 100, 200])
        );
        for odd in ["", "x", "1,,2", "-1", "501"] {
            assert!(counts(odd, 500).is_err(), "{odd}");
        }
        let why = counts("300,000", u64::MAX).expect_err("two readings");
        assert!(why.contains("300k or 300_000"), "{why}");
    }
}
