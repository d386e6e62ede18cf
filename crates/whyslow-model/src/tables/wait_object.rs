//! What threads waited for.

use super::Width;
use crate::column::{Column, NULL_I64};
use crate::place::Place;
use crate::schema::{ColumnSchema, Layer, TableSchema};
use crate::table::{Field, TableRow};

table! {
    /// Something that threads waited for: a file, the other end of a connection, a lock, a child.
    WaitObjectRow WAIT_OBJECT "wait_object" Fact since 2 {
        /// Row number.
        id: i32,
        /// What sort of thing: `file`, `folder`, `terminal`, `device`, `pipe`, `event`, `tcp`, `udp`, `unix`, `socket`, `futex`, `child`, `signal`, `semaphore`, `queue`, `name`, `epoll`, `poll` (several descriptors of a `poll` or `select`, or of requests through io_uring), `nothing` (a `poll` or `select` that only sleeps), `tracer` (the process that stopped it by ptrace).
        kind: String,
        /// Its path; the address and port of the other end; what an epoll watches, or a call with several descriptors; or what else identifies it.
        name: String,
        /// Address and port of this end of a connection.
        local: Option<String>,
        /// The system's id of the other process: the one at the other end (for a pipe, only if the wait still went on when the recording ended), the holder of the lock, the program that decides whether the file may be used (fanotify), the sender of the signal, or the child; null where not known.
        peer_pid: Option<i32>,
        /// The system's id of the thread that held the lock of a futex when the wait began; null where not known.
        owner_tid: Option<i32>,
        /// Type of the file system that it is in.
        file_system: Option<String>,
        /// Inode number.
        inode: Option<i64>,
        /// The file system's device: major number times 2^20 plus the minor one.
        device: Option<i32>,
        /// How many more descriptors the call watched besides those named. Of an epoll, at most 64 are counted.
        others: Option<i32>,
    }
}
