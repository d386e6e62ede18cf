//! How a process ended, for a person: small numbers as they are, statuses of Windows in hexadecimal.
//!
//! A process that an exception or another process ends has the status (`NTSTATUS`) of that as its exit
//! code. The names are those of Microsoft's open specification \[MS-ERREF\], section 2.3.1.

use std::ops::Range;

/// The first status that is not a success: informational ones begin here, then warnings and errors.
/// The
/// last numbers are those of programs that count down from -1.
const STATUSES: Range<u32> = 0x4000_0000..0xffff_f000;

/// Statuses that processes end with.
const NAMES: &[(u32, &str)] = &[
    (0x4001_0003, "DBG_TERMINATE_THREAD"),
    (0x4001_0004, "DBG_TERMINATE_PROCESS"),
    (0x4001_0005, "DBG_CONTROL_C"),
    (0x4001_0008, "DBG_CONTROL_BREAK"),
    (0x8000_0001, "STATUS_GUARD_PAGE_VIOLATION"),
    (0x8000_0002, "STATUS_DATATYPE_MISALIGNMENT"),
    (0x8000_0003, "STATUS_BREAKPOINT"),
    (0x8000_0004, "STATUS_SINGLE_STEP"),
    (0xc000_0001, "STATUS_UNSUCCESSFUL"),
    (0xc000_0005, "STATUS_ACCESS_VIOLATION"),
    (0xc000_0006, "STATUS_IN_PAGE_ERROR"),
    (0xc000_0008, "STATUS_INVALID_HANDLE"),
    (0xc000_000d, "STATUS_INVALID_PARAMETER"),
    (0xc000_0017, "STATUS_NO_MEMORY"),
    (0xc000_001d, "STATUS_ILLEGAL_INSTRUCTION"),
    (0xc000_0022, "STATUS_ACCESS_DENIED"),
    (0xc000_0025, "STATUS_NONCONTINUABLE_EXCEPTION"),
    (0xc000_008c, "STATUS_ARRAY_BOUNDS_EXCEEDED"),
    (0xc000_008e, "STATUS_FLOAT_DIVIDE_BY_ZERO"),
    (0xc000_0094, "STATUS_INTEGER_DIVIDE_BY_ZERO"),
    (0xc000_0095, "STATUS_INTEGER_OVERFLOW"),
    (0xc000_0096, "STATUS_PRIVILEGED_INSTRUCTION"),
    (0xc000_009a, "STATUS_INSUFFICIENT_RESOURCES"),
    (0xc000_00fd, "STATUS_STACK_OVERFLOW"),
    (0xc000_012d, "STATUS_COMMITMENT_LIMIT"),
    (0xc000_0135, "STATUS_DLL_NOT_FOUND"),
    (0xc000_0138, "STATUS_ORDINAL_NOT_FOUND"),
    (0xc000_0139, "STATUS_ENTRYPOINT_NOT_FOUND"),
    (0xc000_013a, "STATUS_CONTROL_C_EXIT"),
    (0xc000_0142, "STATUS_DLL_INIT_FAILED"),
    (0xc000_026b, "STATUS_DLL_INIT_FAILED_LOGOFF"),
    (0xc000_0374, "STATUS_HEAP_CORRUPTION"),
    (0xc000_0409, "STATUS_STACK_BUFFER_OVERRUN"),
    (0xc000_0417, "STATUS_INVALID_CRUNTIME_PARAMETER"),
    (0xc000_0420, "STATUS_ASSERTION_FAILURE"),
];

/// Returns an exit code as text.
pub(crate) fn text(code: i64) -> String {
    // Codes are kept in 32 bits with a sign, as Linux and most tools write them.
    let status = i32::try_from(code).map(i32::cast_unsigned);
    let status = status.or_else(|_| u32::try_from(code));
    match status {
        Ok(status) if STATUSES.contains(&status) => {
            let named = NAMES.iter().find(|(of, _)| *of == status);
            let name = named.map_or(String::new(), |(_, name)| format!(" {name}"));
            format!("{status:#010x}{name}")
        }
        _ => code.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_hexadecimal_and_have_names() {
        assert_eq!(text(0), "0");
        assert_eq!(text(259), "259");
        assert_eq!(text(0x4001_0004), "0x40010004 DBG_TERMINATE_PROCESS");
        assert_eq!(text(-1_073_741_819), "0xc0000005 STATUS_ACCESS_VIOLATION");
        assert_eq!(text(0xc000_0005), "0xc0000005 STATUS_ACCESS_VIOLATION");
        assert_eq!(text(-1), "-1");
        assert_eq!(text(0xe043_4352), "0xe0434352");
    }
}
