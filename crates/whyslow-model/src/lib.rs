//! The vocabulary that every part of Whyslow shares: ids, thread states, the tables of an extract,
//! the sink for rows, the view that queries read from, capabilities and problems.
//!
//! Nothing here knows a trace format, a file format or a question. A *table* is described once, in
//! [`tables`], as a plain Rust struct; its columns, their types, nullability and documentation are
//! derived from that description and used by the writer, the reader, the queries and the docs.
//!
//! Times are nanoseconds since the trace's start (`i64`), durations nanoseconds. Unknown is null,
//! never zero.

#![forbid(unsafe_code)]

pub mod capability;
pub mod civil;
#[macro_use]
pub mod codes;
pub mod column;
mod fast_map;
pub mod fnv;
pub mod ids;
pub mod json;
pub mod place;
pub mod problem;
pub mod registry;
pub mod schema;
pub mod sink;
pub mod spans;
pub mod system;
pub mod system_calls;
pub mod table;
pub mod tables;
pub mod unit;
pub mod view;
pub mod watch;
pub mod windows_calls;

pub mod names;

pub use capability::{Capabilities, Capability, Presence};
pub use codes::{Named, StackEnd, StackKind, StateFlags, ThreadState, WaitReason, WakerKind};
pub use column::{Column, NULL_I32, NULL_I64, StrColumn};
pub use fast_map::FastMap;
pub use ids::{AddressId, FileId, LabelId, ModuleId, ProcessId, StackId, ThreadId};
pub use place::{Place, RawRow, Values};
pub use problem::{Problem, ProblemKind, Problems, Severity};
pub use schema::{ColumnSchema, ColumnType, Layer, Reference, TableSchema};
pub use sink::{OwnerRef, RowSink, Settle, SinkError};
pub use system::System;
pub use system_calls::{SystemCall, SystemCallResult};
pub use table::{Field, Number, Table, TableRow};
pub use tables::network::{DatagramWay, DnsFlags, TcpFlags, TcpResult, TcpSide};
pub use tables::recorded::{
    DiskFlags, DiskOperation, FileCallFlags, FileFlags, FileOperation, GoroutineState, MemoryStall,
    RawTable,
};
pub use tables::windows::{ExceptionFlags, FilterPhase, HandleOrigin, RegistryOperation};
pub use unit::{NotOne, Unit, UnitsOf, WantedUnit};
pub use view::{MemoryTrace, Renewed, Scan, TraceView, ViewError};
pub use watch::{Unwatched, Watch};
