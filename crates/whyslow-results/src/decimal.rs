//! Decimal numbers as people write them, as whole millionths.

/// Values are compared in millionths of the base unit.
pub(crate) const SCALE: i128 = 1_000_000;

/// Returns `value` with its thousands in groups, as notes show it.
pub fn grouped(value: u64) -> String {
    match value {
        0..1000 => value.to_string(),
        _ => format!("{},{:03}", grouped(value / 1000), value % 1000),
    }
}

/// Returns the decimal number `digits` in millionths; digits beyond are dropped.
pub(crate) fn decimal(digits: &str) -> Option<i128> {
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value: i128 = 0;
    let mut any = false;
    for c in whole.chars().filter(|&c| c != '_') {
        value = value.checked_mul(10)?.checked_add(c.to_digit(10)?.into())?;
        any = true;
    }
    let mut unit = SCALE;
    value = value.checked_mul(SCALE)?;
    for c in fraction.chars() {
        unit /= 10;
        value = value.checked_add(unit.checked_mul(c.to_digit(10)?.into())?)?;
        any = true;
    }
    any.then_some(if negative { -value } else { value })
}
