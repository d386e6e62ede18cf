//! Ids of rows: unique within one extract, dense from 0, never an operating system's id.
//!
//! An OS reuses pids and tids; these ids name one lifetime. They equal the row number of the row
//! they name, so a lookup is an index.

macro_rules! id_type {
    ($(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i32);

        impl $name {
            /// Returns the row number of the row this id names.
            pub fn index(self) -> usize {
                usize::try_from(self.0).unwrap_or(usize::MAX)
            }

            /// Returns the id a column value holds, or `None` for null or any negative value.
            pub fn from_column(value: i32) -> Option<Self> {
                (value >= 0).then_some(Self(value))
            }
        }
    };
}

id_type! {
    /// One executable image of a process: row of the `process` table.
    ProcessId
}
id_type! {
    /// One lifetime of a thread: row of the `thread` table.
    ThreadId
}
id_type! {
    /// One loaded image: row of the `module` table.
    ModuleId
}
id_type! {
    /// One distinct code location: row of the `address` table.
    AddressId
}
id_type! {
    /// One node of the prefix tree of stacks, and the stack that ends there: row of `stack`.
    StackId
}
