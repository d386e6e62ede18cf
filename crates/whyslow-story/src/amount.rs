//! Amounts of data in words.

/// Returns an amount of data in the largest unit that leaves a whole number.
pub fn amount(bytes: i64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let unit = units.into_iter().find(|&(unit, _)| bytes >= 2 * unit);
    match unit {
        Some((unit, name)) => format!("{} {name}", bytes.saturating_add(unit / 2) / unit),
        None => format!("{bytes} bytes"),
    }
}
