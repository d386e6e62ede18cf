//! Which CPUs there are.

use std::io;

/// CPUs that are online, in ascending order.
///
/// # Errors
/// Where the kernel does not say it.
pub fn online() -> io::Result<Vec<u32>> {
    let list = std::fs::read_to_string("/sys/devices/system/cpu/online")?;
    parse_list(list.trim()).ok_or_else(|| io::Error::other(format!("not a list of CPUs: {list}")))
}

/// The number of CPUs there could be.
pub fn possible_count() -> u32 {
    std::fs::read_to_string("/sys/devices/system/cpu/possible")
        .ok()
        .and_then(|list| parse_list(list.trim()))
        .and_then(|cpus| u32::try_from(cpus.len()).ok())
        .unwrap_or(1)
}

/// CPUs as a bit each, the last word not empty.
pub fn words(cpus: &[u32]) -> Vec<u64> {
    let mut words = Vec::new();
    for &cpu in cpus {
        let at = cpu as usize / 64;
        if words.len() <= at {
            words.resize(at + 1, 0);
        }
        words[at] |= 1 << (cpu % 64);
    }
    words
}

/// Reads a list such as `0-3,8`.
fn parse_list(list: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if last < first || last - first > 65_535 {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::{parse_list, words};

    #[test]
    fn cpus_are_bits() {
        assert_eq!(words(&[0, 2, 64]), [0b101, 1]);
        assert!(words(&[]).is_empty());
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(parse_list("0"), Some(vec![0]));
        assert_eq!(parse_list("0-2,5,7-8"), Some(vec![0, 1, 2, 5, 7, 8]));
        assert_eq!(parse_list("3-1"), None);
        assert_eq!(parse_list(""), None);
    }
}
