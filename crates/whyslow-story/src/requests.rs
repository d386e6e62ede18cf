//! Requests to the file systems of Windows, as the system calls and errors of Linux that mean the same.
//!
//! What is a habit is described in terms of Linux. Windows records no system calls, but what programs ask
//! of file systems; where that means the same, it counts as the call. Texts use the words of Windows.

use whyslow_model::{FileOperation, System, SystemCall, SystemCallResult};
use whyslow_query::facts::Facts;

/// What a request does, and the system call that does the same. A handle is closed with the file known: that is
/// not among them, because calls to `close` do not say which file they are for.
const CALLS: &[(FileOperation, i32)] = &[
    (FileOperation::Read, 0),
    (FileOperation::Write, 1),
    // `fstat`: the file is open.
    (FileOperation::Stat, 5),
    (FileOperation::Sync, 74),
    (FileOperation::Resize, 77),
    (FileOperation::Rename, 82),
    (FileOperation::Create, 83),
    (FileOperation::Link, 86),
    (FileOperation::Remove, 87),
    (FileOperation::Change, 90),
    (FileOperation::List, 217),
    (FileOperation::Open, 257),
];

/// Errors that mean the same: the status, and the number in Linux. The first status of a number names it.
const ERRORS: &[(u32, i32)] = &[
    // STATUS_OBJECT_NAME_NOT_FOUND, STATUS_OBJECT_PATH_NOT_FOUND, STATUS_NO_SUCH_FILE.
    (0xc000_0034, 2),
    (0xc000_003a, 2),
    (0xc000_000f, 2),
    // STATUS_ACCESS_DENIED.
    (0xc000_0022, 13),
    // STATUS_SHARING_VIOLATION: in use.
    (0xc000_0043, 16),
    // STATUS_OBJECT_NAME_COLLISION.
    (0xc000_0035, 17),
    // STATUS_DISK_FULL.
    (0xc000_007f, 28),
];

/// Statuses that are no failures: the end of a file and of a listing, and more data than the buffer holds.
const ENDS: &[u32] = &[
    0xc000_0011,
    0x8000_0006,
    0x8000_001a,
    0x8000_0005,
    0xc000_0023,
];

/// Returns the recorded system.
pub(crate) fn system(facts: &Facts) -> System {
    let trace = facts.trace.as_ref();
    System::of(trace.and_then(|trace| trace.os.as_deref()))
}

/// Returns the system call that does the same as a request; `None` if there is none.
#[must_use]
pub fn call(operation: FileOperation) -> Option<SystemCall> {
    let mut calls = CALLS.iter();
    let found = calls.find(|&&(of, _)| of == operation);
    found.map(|&(_, number)| SystemCall(number))
}

/// Returns whether a request is made on behalf of another one, which includes its time.
pub(crate) fn is_part(operation: FileOperation) -> bool {
    use FileOperation::{Fault, PageIn, PageOut};
    matches!(operation, PageIn | PageOut | Fault)
}

/// Returns the result of Linux that means the same as a status; the status itself if there is none.
pub(crate) fn result(status: SystemCallResult) -> SystemCallResult {
    let number = status.0.cast_unsigned();
    if ENDS.contains(&number) {
        return SystemCallResult(0);
    }
    let mut errors = ERRORS.iter();
    let found = errors.find(|&&(of, _)| of == number);
    found.map_or(status, |&(_, error)| SystemCallResult(error))
}

/// Returns the name of a request that counts as a system call.
pub(crate) fn name(call: SystemCall) -> Option<&'static str> {
    use whyslow_model::Named;
    let mut calls = CALLS.iter();
    let found = calls.find(|&&(_, number)| number == call.0);
    found.map(|(operation, _)| operation.name())
}

/// Returns the name of the status behind a result; if there are several, the most common one.
pub(crate) fn status(result: SystemCallResult) -> SystemCallResult {
    let mut errors = ERRORS.iter();
    let found = errors.find(|&&(_, error)| error == result.0);
    found.map_or(result, |&(status, _)| {
        SystemCallResult(status.cast_signed())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_mean_errors_and_back() {
        let status = |number: u32| SystemCallResult(number.cast_signed());
        let meant = |number: u32| result(status(number));
        assert_eq!(meant(0xc000_003a), SystemCallResult(2));
        assert_eq!(meant(0xc000_0011), SystemCallResult(0));
        assert_eq!(meant(0), SystemCallResult(0));
        assert_eq!(meant(0xc000_0185), status(0xc000_0185));
        let spelled = |error| self::status(SystemCallResult(error)).spelled();
        assert_eq!(spelled(2), "STATUS_OBJECT_NAME_NOT_FOUND");
        assert_eq!(spelled(0), "ok");
        for &(operation, number) in CALLS {
            assert_eq!(call(operation), Some(SystemCall(number)));
            assert_eq!(
                name(SystemCall(number)),
                Some(whyslow_model::Named::name(operation))
            );
        }
    }
}
