//! Rows of the table `symbol`, column by column: there are hundreds of thousands of them, with a
//! few thousand names.

use whyslow_model::tables::{SYMBOL, SymbolRow};
use whyslow_model::{AddressId, Column, NULL_I32, NULL_I64, StrColumn, Table};
use whyslow_symbols::{NameId, Names, Reason, SymbolFrame};

/// A table `symbol` under construction.
pub(super) struct SymbolRows<'a> {
    address: Vec<i32>,
    depth: Vec<i32>,
    function: NameColumn<'a>,
    offset: Vec<i64>,
    file: NameColumn<'a>,
    line: Vec<i32>,
    reason: StrColumn,
}

impl<'a> SymbolRows<'a> {
    /// Returns an empty table for functions and files with these names.
    pub(super) fn new(names: &'a Names) -> Self {
        Self {
            address: Vec::new(),
            depth: Vec::new(),
            function: NameColumn::new(names),
            offset: Vec::new(),
            file: NameColumn::new(names),
            line: Vec::new(),
            reason: StrColumn::default(),
        }
    }

    /// Appends a function at an address.
    pub(super) fn push(&mut self, address: AddressId, depth: i32, frame: &SymbolFrame) {
        let offset = i64::try_from(frame.offset_bytes).ok();
        let line = frame.line.and_then(|line| i32::try_from(line).ok());
        self.address.push(address.0);
        self.depth.push(depth);
        self.function.push(Some(frame.function));
        self.offset
            .push(offset.filter(|_| !frame.inlined).unwrap_or(NULL_I64));
        self.file.push(frame.file);
        self.line.push(line.unwrap_or(NULL_I32));
        self.reason.push(None);
    }

    /// Appends an address without a name.
    pub(super) fn push_unresolved(&mut self, address: AddressId, reason: Reason) {
        self.address.push(address.0);
        self.depth.push(0);
        self.function.push(None);
        self.offset.push(NULL_I64);
        self.file.push(None);
        self.line.push(NULL_I32);
        self.reason.push(Some(reason.code()));
    }

    /// Appends a row of an older look-up.
    pub(super) fn keep(&mut self, row: &SymbolRow) {
        self.address.push(row.address.0);
        self.depth.push(row.depth);
        self.function.column.push(row.function.as_deref());
        self.offset.push(row.offset.unwrap_or(NULL_I64));
        self.file.column.push(row.file.as_deref());
        self.line.push(row.line.unwrap_or(NULL_I32));
        self.reason.push(row.reason.as_deref());
    }

    /// Returns the table.
    pub(super) fn finish(self) -> Table {
        let mut table = Table::new(&SYMBOL);
        SymbolRow::address.put(&mut table, Column::I32(self.address));
        SymbolRow::depth.put(&mut table, Column::I32(self.depth));
        SymbolRow::function.put(&mut table, Column::Str(self.function.column));
        SymbolRow::offset.put(&mut table, Column::I64(self.offset));
        SymbolRow::file.put(&mut table, Column::Str(self.file.column));
        SymbolRow::line.put(&mut table, Column::I32(self.line));
        SymbolRow::reason.put(&mut table, Column::Str(self.reason));
        table
    }
}

/// A column of names; the text of each is looked up once.
struct NameColumn<'a> {
    names: &'a Names,
    keys: Vec<i32>,
    column: StrColumn,
}

impl<'a> NameColumn<'a> {
    fn new(names: &'a Names) -> Self {
        Self {
            names,
            keys: vec![-1; names.len()],
            column: StrColumn::default(),
        }
    }

    fn push(&mut self, name: Option<NameId>) {
        let Some(id) = name else {
            self.column.push(None);
            return;
        };
        let Some(key) = self.keys.get_mut(id.0 as usize) else {
            self.column.push(Some(self.names.text(id)));
            return;
        };
        if *key < 0 {
            *key = self.column.intern(self.names.text(id));
        }
        self.column.keys.push(*key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_where_the_schema_says() {
        let mut names = Names::new();
        let (main, file) = (names.intern("main"), names.intern("main.c"));
        let frame = SymbolFrame {
            function: main,
            offset_bytes: 4,
            inlined: false,
            file: Some(file),
            line: Some(7),
        };
        let mut rows = SymbolRows::new(&names);
        rows.push(AddressId(1), 0, &frame);
        rows.push_unresolved(AddressId(2), Reason::NoMapping);
        let row = |address, function: Option<&str>, reason: Option<&str>| SymbolRow {
            address: AddressId(address),
            depth: 0,
            function: function.map(ToOwned::to_owned),
            offset: function.map(|_| 4),
            file: function.map(|_| "main.c".to_owned()),
            line: function.map(|_| 7),
            reason: reason.map(ToOwned::to_owned),
        };
        let old = row(3, Some("old"), None);
        rows.keep(&old);
        let rows: Vec<SymbolRow> = rows.finish().rows().collect();
        let nameless = row(2, None, Some(Reason::NoMapping.code()));
        assert_eq!(rows, [row(1, Some("main"), None), nameless, old]);
    }
}
