//! Requests to the file systems of Windows and their results, by name.
//!
//! In the column `call` such a request is [`REQUESTS`] plus the number of the major function times
//! 256, plus the class of information that it asks for or sets. In the column `result` its status
//! (`NTSTATUS`) is a negative number: those of Linux are positive. Statuses that mean success are 0.
//! The names are those of Microsoft's open specifications \[MS-ERREF\] and \[MS-FSCC\].

/// The first number of requests to file systems.
pub const REQUESTS: i32 = 4 << 12;

/// The number of a fault that had to read from a disk.
const HARD_FAULT: i32 = REQUESTS + 0x7f00;

/// The number of the mapping of a file into memory.
const MAPPING: i32 = HARD_FAULT + 1;

/// Returns the number of a request by its major function and its class of information.
#[must_use]
pub fn request(major: u8, class: u32) -> i32 {
    let class = i32::try_from(class.min(0xff)).unwrap_or(0);
    REQUESTS + (i32::from(major.min(0x7e)) << 8) + class
}

/// Returns the number of a fault that had to read from a disk.
#[must_use]
pub fn hard_fault() -> i32 {
    HARD_FAULT
}

/// Returns the number of the mapping of a file into memory.
#[must_use]
pub fn mapping() -> i32 {
    MAPPING
}

/// Returns the code of a status: 0 for success.
#[must_use]
pub fn result(status: u32) -> i32 {
    status.cast_signed().min(0)
}

/// Returns the name of a request; `None` for numbers of Linux.
pub(crate) fn request_name(call: i32) -> Option<String> {
    let number = call.checked_sub(REQUESTS).filter(|&number| number >= 0)?;
    match call {
        HARD_FAULT => return Some("hard fault".to_owned()),
        MAPPING => return Some("map view".to_owned()),
        _ => {}
    }
    let (major, class) = (number >> 8, number & 0xff);
    let name = find(MAJOR_FUNCTIONS, major).unwrap_or("IRP");
    Some(match class {
        0 => name.to_owned(),
        class => match find(CLASSES, class).filter(|_| matches!(major, 5 | 6 | 12)) {
            Some(spelled) => format!("{name} {spelled}"),
            None => format!("{name} {class}"),
        },
    })
}

/// Returns the name of a status; `None` for numbers of Linux.
pub(crate) fn status_name(result: i32) -> Option<String> {
    let status = result.cast_unsigned();
    (result < 0).then(|| {
        let known = find(STATUSES, status);
        known.map_or_else(|| format!("{status:#010x}"), ToOwned::to_owned)
    })
}

fn find<N: PartialEq + Copy>(names: &[(N, &'static str)], number: N) -> Option<&'static str> {
    let found = names.iter().find(|(of, _)| *of == number);
    found.map(|&(_, name)| name)
}

const MAJOR_FUNCTIONS: &[(i32, &str)] = &[
    (0x00, "IRP_MJ_CREATE"),
    (0x02, "IRP_MJ_CLOSE"),
    (0x03, "IRP_MJ_READ"),
    (0x04, "IRP_MJ_WRITE"),
    (0x05, "IRP_MJ_QUERY_INFORMATION"),
    (0x06, "IRP_MJ_SET_INFORMATION"),
    (0x07, "IRP_MJ_QUERY_EA"),
    (0x08, "IRP_MJ_SET_EA"),
    (0x09, "IRP_MJ_FLUSH_BUFFERS"),
    (0x0a, "IRP_MJ_QUERY_VOLUME_INFORMATION"),
    (0x0b, "IRP_MJ_SET_VOLUME_INFORMATION"),
    (0x0c, "IRP_MJ_DIRECTORY_CONTROL"),
    (0x0d, "IRP_MJ_FILE_SYSTEM_CONTROL"),
    (0x0e, "IRP_MJ_DEVICE_CONTROL"),
    (0x11, "IRP_MJ_LOCK_CONTROL"),
    (0x12, "IRP_MJ_CLEANUP"),
    (0x14, "IRP_MJ_QUERY_SECURITY"),
    (0x15, "IRP_MJ_SET_SECURITY"),
];

const CLASSES: &[(i32, &str)] = &[
    (1, "FileDirectoryInformation"),
    (2, "FileFullDirectoryInformation"),
    (3, "FileBothDirectoryInformation"),
    (4, "FileBasicInformation"),
    (5, "FileStandardInformation"),
    (6, "FileInternalInformation"),
    (7, "FileEaInformation"),
    (8, "FileAccessInformation"),
    (9, "FileNameInformation"),
    (10, "FileRenameInformation"),
    (11, "FileLinkInformation"),
    (12, "FileNamesInformation"),
    (13, "FileDispositionInformation"),
    (14, "FilePositionInformation"),
    (15, "FileFullEaInformation"),
    (16, "FileModeInformation"),
    (17, "FileAlignmentInformation"),
    (18, "FileAllInformation"),
    (19, "FileAllocationInformation"),
    (20, "FileEndOfFileInformation"),
    (21, "FileAlternateNameInformation"),
    (22, "FileStreamInformation"),
    (23, "FilePipeInformation"),
    (28, "FileCompressionInformation"),
    (34, "FileNetworkOpenInformation"),
    (35, "FileAttributeTagInformation"),
    (37, "FileIdBothDirectoryInformation"),
    (38, "FileIdFullDirectoryInformation"),
    (39, "FileValidDataLengthInformation"),
    (40, "FileShortNameInformation"),
    (46, "FileHardLinkInformation"),
    (48, "FileNormalizedNameInformation"),
    (54, "FileStandardLinkInformation"),
    (55, "FileRemoteProtocolInformation"),
    (59, "FileIdInformation"),
    (60, "FileIdExtdDirectoryInformation"),
    (64, "FileDispositionInformationEx"),
    (65, "FileRenameInformationEx"),
    (68, "FileStatInformation"),
    (72, "FileLinkInformationEx"),
    (75, "FileCaseSensitiveInformation"),
];

/// Statuses of requests to file systems.
const STATUSES: &[(u32, &str)] = &[
    (0x8000_0005, "STATUS_BUFFER_OVERFLOW"),
    (0x8000_0006, "STATUS_NO_MORE_FILES"),
    (0x8000_000d, "STATUS_PARTIAL_COPY"),
    (0x8000_0011, "STATUS_DEVICE_BUSY"),
    (0x8000_0012, "STATUS_NO_MORE_EAS"),
    (0x8000_001a, "STATUS_NO_MORE_ENTRIES"),
    (0x8000_002d, "STATUS_STOPPED_ON_SYMLINK"),
    (0x8000_0288, "STATUS_DEVICE_REQUIRES_CLEANING"),
    (0xc000_0001, "STATUS_UNSUCCESSFUL"),
    (0xc000_0002, "STATUS_NOT_IMPLEMENTED"),
    (0xc000_0003, "STATUS_INVALID_INFO_CLASS"),
    (0xc000_0004, "STATUS_INFO_LENGTH_MISMATCH"),
    (0xc000_0005, "STATUS_ACCESS_VIOLATION"),
    (0xc000_0006, "STATUS_IN_PAGE_ERROR"),
    (0xc000_0008, "STATUS_INVALID_HANDLE"),
    (0xc000_000d, "STATUS_INVALID_PARAMETER"),
    (0xc000_000e, "STATUS_NO_SUCH_DEVICE"),
    (0xc000_000f, "STATUS_NO_SUCH_FILE"),
    (0xc000_0010, "STATUS_INVALID_DEVICE_REQUEST"),
    (0xc000_0011, "STATUS_END_OF_FILE"),
    (0xc000_0012, "STATUS_WRONG_VOLUME"),
    (0xc000_0013, "STATUS_NO_MEDIA_IN_DEVICE"),
    (0xc000_0014, "STATUS_UNRECOGNIZED_MEDIA"),
    (0xc000_0016, "STATUS_MORE_PROCESSING_REQUIRED"),
    (0xc000_0017, "STATUS_NO_MEMORY"),
    (0xc000_0021, "STATUS_ALREADY_COMMITTED"),
    (0xc000_0022, "STATUS_ACCESS_DENIED"),
    (0xc000_0023, "STATUS_BUFFER_TOO_SMALL"),
    (0xc000_0024, "STATUS_OBJECT_TYPE_MISMATCH"),
    (0xc000_0033, "STATUS_OBJECT_NAME_INVALID"),
    (0xc000_0034, "STATUS_OBJECT_NAME_NOT_FOUND"),
    (0xc000_0035, "STATUS_OBJECT_NAME_COLLISION"),
    (0xc000_0039, "STATUS_OBJECT_PATH_INVALID"),
    (0xc000_003a, "STATUS_OBJECT_PATH_NOT_FOUND"),
    (0xc000_003b, "STATUS_OBJECT_PATH_SYNTAX_BAD"),
    (0xc000_003f, "STATUS_CRC_ERROR"),
    (0xc000_0043, "STATUS_SHARING_VIOLATION"),
    (0xc000_0044, "STATUS_QUOTA_EXCEEDED"),
    (0xc000_004f, "STATUS_EAS_NOT_SUPPORTED"),
    (0xc000_0050, "STATUS_EA_TOO_LARGE"),
    (0xc000_0051, "STATUS_NONEXISTENT_EA_ENTRY"),
    (0xc000_0052, "STATUS_NO_EAS_ON_FILE"),
    (0xc000_0054, "STATUS_FILE_LOCK_CONFLICT"),
    (0xc000_0055, "STATUS_LOCK_NOT_GRANTED"),
    (0xc000_0056, "STATUS_DELETE_PENDING"),
    (0xc000_005e, "STATUS_NO_LOGON_SERVERS"),
    (0xc000_0061, "STATUS_PRIVILEGE_NOT_HELD"),
    (0xc000_006d, "STATUS_LOGON_FAILURE"),
    (0xc000_007e, "STATUS_RANGE_NOT_LOCKED"),
    (0xc000_007f, "STATUS_DISK_FULL"),
    (0xc000_0099, "STATUS_FILE_INVALID"),
    (0xc000_009a, "STATUS_INSUFFICIENT_RESOURCES"),
    (0xc000_009c, "STATUS_DEVICE_DATA_ERROR"),
    (0xc000_009d, "STATUS_DEVICE_NOT_CONNECTED"),
    (0xc000_00a2, "STATUS_MEDIA_WRITE_PROTECTED"),
    (0xc000_00ae, "STATUS_PIPE_BUSY"),
    (0xc000_00b0, "STATUS_PIPE_DISCONNECTED"),
    (0xc000_00b1, "STATUS_PIPE_CLOSING"),
    (0xc000_00b5, "STATUS_IO_TIMEOUT"),
    (0xc000_00ba, "STATUS_FILE_IS_A_DIRECTORY"),
    (0xc000_00bb, "STATUS_NOT_SUPPORTED"),
    (0xc000_00be, "STATUS_BAD_NETWORK_PATH"),
    (0xc000_00bf, "STATUS_NETWORK_BUSY"),
    (0xc000_00c3, "STATUS_INVALID_NETWORK_RESPONSE"),
    (0xc000_00c4, "STATUS_UNEXPECTED_NETWORK_ERROR"),
    (0xc000_00c9, "STATUS_NETWORK_NAME_DELETED"),
    (0xc000_00ca, "STATUS_NETWORK_ACCESS_DENIED"),
    (0xc000_00cc, "STATUS_BAD_NETWORK_NAME"),
    (0xc000_00d4, "STATUS_NOT_SAME_DEVICE"),
    (0xc000_00d5, "STATUS_FILE_RENAMED"),
    (0xc000_00d8, "STATUS_CANT_WAIT"),
    (0xc000_00d9, "STATUS_PIPE_EMPTY"),
    (0xc000_00e2, "STATUS_OPLOCK_NOT_GRANTED"),
    (0xc000_00e3, "STATUS_INVALID_OPLOCK_PROTOCOL"),
    (0xc000_0101, "STATUS_DIRECTORY_NOT_EMPTY"),
    (0xc000_0102, "STATUS_FILE_CORRUPT_ERROR"),
    (0xc000_0103, "STATUS_NOT_A_DIRECTORY"),
    (0xc000_0107, "STATUS_FILES_OPEN"),
    (0xc000_0120, "STATUS_CANCELLED"),
    (0xc000_0121, "STATUS_CANNOT_DELETE"),
    (0xc000_0123, "STATUS_FILE_DELETED"),
    (0xc000_0128, "STATUS_FILE_CLOSED"),
    (0xc000_014b, "STATUS_PIPE_BROKEN"),
    (0xc000_014c, "STATUS_REGISTRY_CORRUPT"),
    (0xc000_014d, "STATUS_REGISTRY_IO_FAILED"),
    (0xc000_017c, "STATUS_KEY_DELETED"),
    (0xc000_0181, "STATUS_CHILD_MUST_BE_VOLATILE"),
    (0xc000_0185, "STATUS_IO_DEVICE_ERROR"),
    (0xc000_0201, "STATUS_NETWORK_OPEN_RESTRICTION"),
    (0xc000_020c, "STATUS_CONNECTION_DISCONNECTED"),
    (0xc000_020d, "STATUS_CONNECTION_RESET"),
    (0xc000_0218, "STATUS_CANNOT_LOAD_REGISTRY_FILE"),
    (0xc000_0225, "STATUS_NOT_FOUND"),
    (0xc000_0236, "STATUS_CONNECTION_REFUSED"),
    (0xc000_0256, "STATUS_REGISTRY_QUOTA_LIMIT"),
    (0xc000_0257, "STATUS_PATH_NOT_COVERED"),
    (0xc000_026e, "STATUS_VOLUME_DISMOUNTED"),
    (0xc000_0275, "STATUS_NOT_A_REPARSE_POINT"),
    (0xc000_0279, "STATUS_IO_REPARSE_TAG_NOT_HANDLED"),
    (0xc000_0280, "STATUS_REPARSE_POINT_NOT_RESOLVED"),
    (0xc000_0281, "STATUS_DIRECTORY_IS_A_REPARSE_POINT"),
    (0xc000_0426, "STATUS_NETWORK_SESSION_EXPIRED"),
    (0xc000_0428, "STATUS_INVALID_IMAGE_HASH"),
    (0xc000_0906, "STATUS_VIRUS_INFECTED"),
    (0xc000_0907, "STATUS_VIRUS_DELETED"),
    (0xc000_cf06, "STATUS_CLOUD_FILE_PROVIDER_NOT_RUNNING"),
    (0xc01c_0004, "STATUS_FLT_DISALLOW_FAST_IO"),
];

#[cfg(test)]
mod tests {
    use crate::{SystemCall, SystemCallResult};

    #[test]
    fn requests_and_statuses_have_names_or_numbers() {
        let names = [
            super::request(0, 0),
            super::request(6, 13),
            super::request(6, 250),
        ];
        let names = names.map(|number| SystemCall(number).spelled());
        let expected = [
            "IRP_MJ_CREATE",
            "IRP_MJ_SET_INFORMATION FileDispositionInformation",
            "IRP_MJ_SET_INFORMATION 250",
        ];
        assert_eq!(names, expected);
        assert_eq!(SystemCall(super::hard_fault()).spelled(), "hard fault");
        // Reparse and pending are no failures.
        let results = [0, 0x104, 0x103, 0x4000_0000, 0xc000_0034, 0xc0de_0001];
        let results = results.map(|status| SystemCallResult(super::result(status)).spelled());
        let expected = [
            "ok",
            "ok",
            "ok",
            "ok",
            "STATUS_OBJECT_NAME_NOT_FOUND",
            "0xc0de0001",
        ];
        assert_eq!(results, expected);
    }

    #[test]
    fn names_are_in_order() {
        assert!(super::STATUSES.is_sorted_by(|one, next| one.0 < next.0));
        assert!(super::CLASSES.is_sorted_by(|one, next| one.0 < next.0));
    }
}
