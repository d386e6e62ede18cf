//! What only Windows reports.
//!
//! As in [`recorded`](super::recorded), whose lists include these rows.

use super::Width;
use crate::FileOperation;
use crate::codes::{self, Named};
use crate::column::{Column, NULL_I64};
use crate::ids::{FileId, LabelId, ProcessId, StackId, ThreadId};
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::system_calls::SystemCallResult;
use crate::table::{Field, TableRow};

table! {
    /// Calls of one routine of a mini-filter, such as a virus scanner's, that saw requests of one thread about one file and ended in a stretch of at most about a second. Their time is part of the time of the requests.
    FilterCallRow FILTER_CALL "filter_call" Raw since 2 {
        /// When the first of the thread's requests in this stretch was given to a filter, or later than the last one before.
        from_ns: i64,
        /// The process that made the requests.
        process: Option<ProcessId>,
        /// The thread that made the requests.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the last of the calls in this stretch had ended.
        duration_ns: i64,
        /// The file; null where there were too many to keep apart.
        file: Option<FileId>,
        /// Code of `FileOperation`.
        operation: i32 = FileOperation,
        /// Code of `FilterPhase`.
        phase: i32 = FilterPhase,
        /// How many calls there were.
        count: i64,
        /// Time in them, waits included.
        time_ns: i64,
        /// The longest.
        longest_ns: i64,
        /// The routine, as a stack of one frame; its module is the driver.
        stack: Option<StackId>,
    }
}

codes! {
    /// When a mini-filter sees a request.
    FilterPhase {
        /// Not known.
        Unknown = 0 "unknown",
        /// Before the file system.
        Before = 1 "before",
        /// After the file system.
        After = 2 "after",
    }
}

table! {
    /// Operations of one thread on the registry that were alike and ended in a stretch of at most about a second: counted exactly.
    RegistryCallRow REGISTRY_CALL "registry_call" Raw since 2 {
        /// When the first of the thread's operations in this stretch began, or later than the last one before.
        from_ns: i64,
        /// The process.
        process: Option<ProcessId>,
        /// The thread.
        thread: Option<ThreadId>,
        /// Time from `from_ns` until the last of the operations in this stretch had ended.
        duration_ns: i64,
        /// The key: a row of `file` whose path is the name of a key; null where there were too many to keep apart.
        key: Option<FileId>,
        /// Name of the value; null for operations on keys.
        value: Option<LabelId>,
        /// Code of `RegistryOperation`.
        operation: i32 = RegistryOperation,
        /// Code of `SystemCallResult`: 0, or the status.
        result: i32 = SystemCallResult,
        /// How many there were.
        count: i64,
        /// Time in them; null if it was not recorded.
        time_ns: Option<i64>,
        /// The longest.
        longest_ns: Option<i64>,
    }
}

codes! {
    /// What is done with the registry.
    RegistryOperation {
        /// Not known.
        Unknown = 0 "unknown",
        /// Open a key, or create it if it is not there.
        Create = 1 "create",
        /// Open a key.
        Open = 2 "open",
        /// Delete a key.
        Delete = 3 "delete",
        /// Ask about a key.
        Query = 4 "query",
        /// Set a value.
        SetValue = 5 "set value",
        /// Delete a value.
        DeleteValue = 6 "delete value",
        /// Read a value.
        QueryValue = 7 "query value",
        /// Read the name of one of the keys below a key.
        ListKeys = 8 "list keys",
        /// Read one of the values of a key, by number.
        ListValues = 9 "list values",
        /// Read several values.
        QueryValues = 10 "query values",
        /// Change what is known about a key, such as its time.
        Change = 11 "change",
        /// Write a key to the disk.
        Flush = 12 "flush",
        /// Redirect a key to the user's own copy.
        Virtualize = 13 "virtualize",
        /// Close the last handle of a key.
        Close = 14 "close",
        /// Set who may use a key.
        SetSecurity = 15 "set security",
        /// Ask who may use a key.
        QuerySecurity = 16 "query security",
    }
}

table! {
    /// A range of memory that a process got from the system for its own use, until it was given back. A range that was given back in parts has a row for each.
    AllocationRow ALLOCATION "allocation" Raw since 2 {
        /// When it was allocated.
        time_ns: i64,
        /// The process whose memory it is.
        process: Option<ProcessId>,
        /// The thread that allocated it; if another process did that, any thread of this one.
        thread: Option<ThreadId>,
        /// Time until it was given back; null if that did not happen before the process or the recording ended.
        duration_ns: Option<i64>,
        /// Its start address, an unsigned number.
        address: i64,
        /// Its size.
        size_bytes: i64,
        /// The stack that allocated it; null if no stack was recorded.
        stack: Option<StackId>,
    }
}

table! {
    /// A handle: the number by which a process uses an object of the kernel, such as a file, an event or a thread, from when it got it until it was closed.
    HandleRow HANDLE "handle" Raw since 2 {
        /// When it was opened; with `listed` as origin, when it was listed.
        time_ns: i64,
        /// The process whose handle it is; for the kernel's own handles, the one in which it was opened.
        process: Option<ProcessId>,
        /// The thread that opened it; if another process did that, or it was listed, any thread of this one.
        thread: Option<ThreadId>,
        /// Time until it was closed; null if that did not happen before the process or the recording ended.
        duration_ns: Option<i64>,
        /// Code of `HandleOrigin`.
        origin: i32 = HandleOrigin,
        /// The number.
        handle: i64,
        /// Address of the object, an unsigned number; an address is used again.
        object: i64,
        /// Name of the object's type, such as `Event`.
        kind: Option<LabelId>,
        /// Name of the object; null if it has none, or it was not recorded.
        name: Option<LabelId>,
        /// The stack that opened it; null if no stack was recorded, or another process opened it.
        stack: Option<StackId>,
    }
}

codes! {
    /// How a process got a handle.
    HandleOrigin {
        /// Not known.
        Unknown = 0 "unknown",
        /// It created or opened an object.
        Created = 1 "created",
        /// It is a duplicate of another handle, perhaps one of another process.
        Duplicated = 2 "duplicated",
        /// The system listed it: it was opened before the recording, was inherited, or its opening was lost.
        Listed = 3 "listed",
    }
}

table! {
    /// An exception of a .NET program, also one that was caught or thrown again.
    ExceptionRow EXCEPTION "exception" Raw since 2 {
        /// When it was thrown.
        time_ns: i64,
        /// The process.
        process: Option<ProcessId>,
        /// The thread.
        thread: Option<ThreadId>,
        /// Name of its type.
        kind: Option<LabelId>,
        /// Its message.
        message: Option<LabelId>,
        /// Its code (HRESULT).
        code: i32,
        /// Bits of `ExceptionFlags`.
        flags: i32 = ExceptionFlags,
        /// Where it was thrown; null if no stack was recorded.
        stack: Option<StackId>,
    }
}

flags! {
    /// Bits of the `flags` column of `exception`.
    ExceptionFlags {
        /// It was caused by another one, which it contains.
        INNER = 1 "inner",
        /// It was thrown while another one was handled.
        NESTED = 2 "nested",
        /// It was caught before, and is thrown again.
        AGAIN = 4 "again",
        /// It shows that the state of the process is corrupted.
        CORRUPTED = 8 "corrupted",
    }
}

table! {
    /// A mark that somebody set in the recording.
    MarkRow MARK "mark" Raw since 2 {
        /// When it was set.
        time_ns: i64,
        /// The process that set it.
        process: Option<ProcessId>,
        /// The thread that set it.
        thread: Option<ThreadId>,
        /// Its text.
        text: Option<LabelId>,
    }
}
