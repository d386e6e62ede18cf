//! The time and the name of this machine, as the names of new files show them.

pub mod zone;

use std::time::{SystemTime, UNIX_EPOCH};

use whyslow_files::name::safe;
use whyslow_query::wall_clock;

/// Returns the local time as `yyyy-MM-dd HH:mm:ss`.
pub fn local() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| i64::try_from(now.as_nanos()).unwrap_or(0));
    wall_clock(now, zone::local_offset_s(Some(now)), true, 0).unwrap_or_default()
}

/// Returns the local time as `yyyyMMdd-HHmmss`.
pub fn now() -> String {
    let text = local();
    let digits = text
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>();
    let (date, time) = digits.split_at_checked(8).unwrap_or((&digits, ""));
    format!("{date}-{time}")
}

/// Returns the name of this machine, in a form that a file name may contain.
pub fn host() -> String {
    let host = if cfg!(windows) {
        std::env::var("COMPUTERNAME").unwrap_or_default()
    } else {
        std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default()
    };
    let host = host.split('.').next().unwrap_or_default();
    let host = safe(host.trim());
    if host.is_empty() {
        "host".to_owned()
    } else {
        host
    }
}

/// Returns `HOST-yyyyMMdd-HHmmss`.
pub fn host_and_time() -> String {
    format!("{}-{}", host(), now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_has_the_form_that_names_are_read_by() {
        let stamp = now();
        assert_eq!(stamp.len(), 15, "{stamp}");
        assert_eq!(stamp.find('-'), Some(8));
    }
}
