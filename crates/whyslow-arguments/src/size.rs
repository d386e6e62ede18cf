//! Sizes and lengths of time as people write them: `512MB`, `64KiB`, `10s`, `2min`.

use std::time::Duration;

/// Returns the number of bytes in `text`; `kB`, `MB`, `GB` are powers of 1000, `KiB` … of 1024, and
/// a bare number is bytes.
///
/// # Errors
/// When the text is not a size.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" | "byte" | "bytes" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => {
            return Err(format!(
                "{unit:?} is not a unit of size; use kB, MB, GB, KiB, MiB or GiB"
            ));
        }
    };
    whole(number * factor).ok_or_else(|| "the size is out of range".to_owned())
}

/// Returns the length of time in `text`; a bare number is seconds.
///
/// # Errors
/// When the text is not a length of time.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let factor = match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "" | "s" | "sec" => 1e9,
        "m" | "min" => 60e9,
        "h" => 3600e9,
        _ => {
            return Err(format!(
                "{unit:?} is not a unit of time; use ns, us, ms, s, min or h"
            ));
        }
    };
    let ns = whole(number * factor).ok_or("the time is out of range")?;
    if ns == 0 {
        return Err("the time must be longer than zero".to_owned());
    }
    Ok(Duration::from_nanos(ns))
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let number = number
        .parse()
        .map_err(|_| "it does not begin with a number".to_owned())?;
    Ok((number, unit.trim()))
}

fn whole(value: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked, and the fraction is meant to go"
    )]
    (value.is_finite() && (0.0..9e18).contains(&value)).then(|| value.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("512MB"), Ok(512_000_000));
        assert_eq!(size("64 KiB"), Ok(65_536));
        assert_eq!(size("1.5g"), Ok(1_500_000_000));
        assert_eq!(size("8"), Ok(8));
        assert!(size("8 parsecs").is_err());
        assert!(size("-8").is_err());
        assert!(size("1e999").is_err());
    }

    #[test]
    fn lengths_of_time() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2min"), Ok(Duration::from_secs(120)));
        assert!(duration("0").is_err());
        assert!(duration("soon").is_err());
    }
}
