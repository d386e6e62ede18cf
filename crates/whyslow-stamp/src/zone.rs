//! The reader's own time zone.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the offset of the reader's local time from UTC in seconds east at `unix_ns` (now for
/// `None`); UTC where the system does not say.
pub fn local_offset_s(unix_ns: Option<i64>) -> i32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| i64::try_from(now.as_secs()).unwrap_or(0));
    offset_at(unix_ns.map_or(now, |ns| ns.div_euclid(1_000_000_000)))
}

#[cfg(unix)]
fn offset_at(unix_s: i64) -> i32 {
    let mut parts = std::mem::MaybeUninit::<libc::tm>::uninit();
    #[expect(unsafe_code, reason = "the C library alone knows the zone")]
    // SAFETY: both pointers are valid for the call; the result is read only where it succeeded.
    let parts = unsafe {
        if libc::localtime_r(&raw const unix_s, parts.as_mut_ptr()).is_null() {
            return 0;
        }
        parts.assume_init()
    };
    i32::try_from(parts.tm_gmtoff).unwrap_or(0)
}

#[cfg(not(unix))]
fn offset_at(_unix_s: i64) -> i32 {
    0
}
