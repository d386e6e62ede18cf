//! What a program did that slept and checked again, in words.

use whyslow_model::SystemCallResult;

use super::{ECONNREFUSED, EINPROGRESS, EMFILE, RAN_OUT};

/// Returns what it did, in words.
pub(super) fn deed(
    result: SystemCallResult,
    (connects, looks_at_file, is_lock): (bool, bool, bool),
    has_object: bool,
) -> &'static str {
    match result {
        ECONNREFUSED => " tried to connect where nothing listens, slept, and tried again",
        EINPROGRESS => " tried to connect, slept, and tried again",
        _ if connects && has_object => {
            " tried to connect to {object}, which was not there, slept, and tried again"
        }
        _ if connects => " tried to connect to a socket that was not there, slept, and tried again",
        _ if looks_at_file => " looked at {object}, slept, and looked again",
        _ if is_lock => " found {object} locked, slept, and tried again",
        EMFILE => " had too many files open, slept, and tried again",
        _ if RAN_OUT.contains(&result.0) => {
            " could not get what it asked for ({error}), slept, and tried again"
        }
        _ => " slept and checked again",
    }
}
