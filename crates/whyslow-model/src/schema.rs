//! What a table is: its name, layer, sort order and columns, each described in one sentence.

/// The type of a column, chosen so that every engine that reads Parquet interprets it alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// Signed 32-bit integer: ids, counts, codes.
    I32,
    /// Signed 64-bit integer: times, sizes, addresses (two's complement).
    I64,
    /// UTF-8 text through a dictionary.
    Str,
}

/// When a table is written, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Facts about the trace, its processes, modules, stacks: small, written once.
    Fact,
    /// One row per recorded event or interval, sorted by process, thread, time; written once.
    Raw,
    /// The meaning of addresses: rewritten whenever symbols are looked up again.
    Symbol,
    /// Sums over the raw tables: rewritten together with the symbols.
    RollUp,
}

/// One column of a table.
#[derive(Debug, Clone, Copy)]
pub struct ColumnSchema {
    /// The name; a unit is its last word (`start_ns`, `size_bytes`).
    pub name: &'static str,
    /// The type.
    pub ty: ColumnType,
    /// Whether a value may be unknown.
    pub nullable: bool,
    /// What the value means, in one sentence.
    pub doc: &'static str,
    /// The table whose row number the value is.
    pub refers_to: Option<Reference>,
    /// The meaning of the numbers, if they are codes or bits.
    pub codes: Option<fn() -> Vec<Code>>,
}

/// A code or a bit, and its name.
pub type Code = (i32, &'static str);

/// What an id refers to, by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A row of `process`.
    Process,
    /// A row of `thread`.
    Thread,
    /// A row of `module`.
    Module,
    /// A row of `file`.
    File,
    /// A row of `label`.
    Label,
    /// A row of `address`.
    Address,
    /// A row of `stack`.
    Stack,
}

/// One table of an extract.
#[derive(Debug, Clone, Copy)]
pub struct TableSchema {
    /// The name, which is also the name of its file.
    pub name: &'static str,
    /// What one row is.
    pub doc: &'static str,
    /// When it is written.
    pub layer: Layer,
    /// The version of the schema since which every extract has it; older ones may lack it. Any extract may lack roll-ups.
    pub since: i32,
    /// The columns, in order.
    pub columns: &'static [ColumnSchema],
}

/// A schema is identified by its name; no two have the same name.
impl PartialEq for TableSchema {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TableSchema {}

impl TableSchema {
    /// Returns the position of the column called `name`.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}
