//! From the rows of many files to one table: ranges, totals, sort, top, columns.
//!
//! Every question runs through [`ask`]. Each file is read and cut to its best rows separately, in
//! parallel; cells are computed only when they are needed, so a question over hundreds of files
//! computes few of them.

mod choice;
pub mod condition;
mod ready;

use std::cmp::Ordering;
use std::sync::Arc;

use whyslow_model::{Capability, NULL_I64};
use whyslow_results::{
    Columns, FileInfo, Kind, NotRecorded, Note, Order, Outcome, Range, ResultColumn, ResultSchema,
    ResultTable, Value,
};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::parallel;
use crate::selection::Selection;
use crate::view::View;

pub(crate) use choice::{elsewhere, needs_one_of};
use condition::Condition;
pub(crate) use ready::ReadyRows;

/// The rows of one file, not yet filtered by ranges.
pub(crate) trait Rows: Send + Sync {
    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Returns a cell; columns are counted without the `file` column.
    fn cell(&self, row: usize, column: usize) -> Value;

    /// Returns all cells of a column that holds only integers and nulls, if that is faster than one
    /// at a time; nulls are [`NULL_I64`].
    fn integers(&self, _column: usize) -> Option<Vec<i64>> {
        None
    }

    /// Returns the depth of a row in the tree.
    fn depth(&self, _row: usize) -> u16 {
        0
    }

    /// Returns only these rows, given in ascending order and renumbered: the tables of hundreds of
    /// files are not kept for a few rows of each.
    fn only(&self, rows: &[u32], columns: usize) -> Box<dyn Rows> {
        let cell = |row: usize, column: usize| self.cell(row, column);
        Box::new(ReadyRows::new(rows, columns, cell))
    }

    /// Returns the same rows with all cells of `rows`, given in ascending order; `None` if no cells
    /// were left out until the shown rows were known.
    fn complete(
        &self,
        _view: View<'_>,
        _rows: &[u32],
    ) -> Result<Option<Box<dyn Rows>>, QueryError> {
        Ok(None)
    }
}

/// Rows of a question's own type; their cells are computed on access.
struct TypedRows<R: 'static, C: 'static> {
    columns: Columns<R, C>,
    rows: Vec<R>,
    depths: Vec<u16>,
    context: C,
}

impl<R: Send + Sync, C: Send + Sync> Rows for TypedRows<R, C> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize, column: usize) -> Value {
        match (self.rows.get(row), self.columns.get(column)) {
            (Some(row), Some(column)) => (column.cell)(row, &self.context),
            _ => Value::Null,
        }
    }

    fn depth(&self, row: usize) -> u16 {
        self.depths.get(row).copied().unwrap_or(0)
    }
}

/// The first column of every question's table.
pub(crate) static FILE: ResultColumn = ResultColumn::new(
    "file",
    "file",
    "File",
    Kind::Text,
    "Name of the extract the row is of.",
)
.priority(1);

/// The contribution of one file.
pub(crate) struct Part {
    /// The rows.
    pub(crate) rows: Box<dyn Rows>,
    /// Notes on them.
    pub(crate) notes: Vec<Note>,
}

/// The result of reading one file.
pub(crate) enum Read {
    /// Its rows.
    Part(Part),
    /// The recording lacks what the question needs.
    NotRecorded(NotRecorded),
}

impl Part {
    /// Returns rows of `columns`, and notes on them.
    pub(crate) fn rows<R, C>(
        columns: Columns<R, C>,
        rows: Vec<R>,
        context: C,
        notes: Vec<Note>,
    ) -> Self
    where
        R: Send + Sync + 'static,
        C: Send + Sync + 'static,
    {
        let depths = Vec::new();
        let rows = Box::new(TypedRows {
            columns,
            rows,
            depths,
            context,
        });
        Self { rows, notes }
    }
}

impl Read {
    /// Returns rows of `columns`, and notes on them.
    pub(crate) fn rows<R, C>(
        columns: Columns<R, C>,
        rows: Vec<R>,
        context: C,
        notes: Vec<Note>,
    ) -> Self
    where
        R: Send + Sync + 'static,
        C: Send + Sync + 'static,
    {
        Self::Part(Part::rows(columns, rows, context, notes))
    }

    /// Returns rows of `columns` that form a tree, each with its depth.
    pub(crate) fn tree<R, C>(
        columns: Columns<R, C>,
        (rows, depths): (Vec<R>, Vec<u16>),
        context: C,
        notes: Vec<Note>,
    ) -> Self
    where
        R: Send + Sync + 'static,
        C: Send + Sync + 'static,
    {
        let rows = Box::new(TypedRows {
            columns,
            rows,
            depths,
            context,
        });
        Self::Part(Part { rows, notes })
    }

    /// Returns that the recording of `facts` lacks what the question needs.
    pub(crate) fn lacks(facts: &Facts, capability: Capability) -> Self {
        Self::NotRecorded(facts.not_recorded(capability))
    }
}

/// Number of rows that are held before the best of them are chosen.
const ROWS_BEFORE_A_CUT: usize = 1 << 10;

/// A part whose rows have been chosen.
struct Chosen<'v> {
    /// Where the parts left out of the rows can be read.
    view: Option<View<'v>>,
    file: FileInfo,
    rows: Box<dyn Rows>,
    picked: Vec<(Key, u32)>,
    /// Depth of each row below the nearest picked row above it; empty for a flat table.
    depths: Vec<u16>,
    matched: usize,
    totals: Vec<Value>,
    notes: Vec<Note>,
}

enum Answered<'v> {
    Chosen(Chosen<'v>),
    NotRecorded(NotRecorded, Arc<str>),
}

/// Calls `read` for every view, and makes one table of the answers.
pub(crate) fn ask(
    views: &[View<'_>],
    selection: &Selection,
    schema: &ResultSchema,
    read: impl Fn(View<'_>, Facts) -> Result<Read, QueryError> + Sync,
) -> Result<Outcome, QueryError> {
    let read = |view: View<'_>, facts: Facts, _: &[bool]| read(view, facts);
    ask_with(views, selection, schema, Facts::read, read)
}

/// Like [`ask`], with facts read by `facts`. `read` gets which columns decide what is shown, and
/// may leave out the others until [`Rows::complete`].
pub(crate) fn ask_with(
    views: &[View<'_>],
    selection: &Selection,
    schema: &ResultSchema,
    facts: impl Fn(View<'_>) -> Result<Facts, QueryError> + Sync,
    read: impl Fn(View<'_>, Facts, &[bool]) -> Result<Read, QueryError> + Sync,
) -> Result<Outcome, QueryError> {
    let presentation = Presentation::new(selection, schema, views.len() > 1)?;
    let deciding = presentation.deciding();
    let answered: Vec<Result<Answered<'_>, QueryError>> = parallel::map(views, |&view| {
        let facts = facts(view)?;
        let file = facts.file();
        Ok(match read(view, facts, &deciding)? {
            Read::Part(part) => Answered::Chosen(presentation.choose(Some(view), file, part)),
            Read::NotRecorded(missing) => Answered::NotRecorded(missing, file.name),
        })
    });
    let (mut parts, mut notes, mut missing) = (Vec::new(), Vec::new(), None);
    for answer in answered {
        match answer? {
            Answered::Chosen(chosen) => parts.push(chosen),
            Answered::NotRecorded(what, file) => {
                let text = format!("{} not recorded", what.capability.name());
                notes.push(Note::warning(Some(&file), text));
                missing.get_or_insert(what);
            }
        }
    }
    match missing {
        Some(missing) if parts.is_empty() => Ok(Outcome::NotRecorded(missing)),
        _ => Ok(Outcome::Table(Box::new(presentation.join(parts, notes)?))),
    }
}

/// Makes one table from the rows of several files.
pub(crate) fn table(
    files: Vec<(FileInfo, Part)>,
    selection: &Selection,
    schema: &ResultSchema,
) -> Result<ResultTable, QueryError> {
    let presentation = Presentation::new(selection, schema, files.len() > 1)?;
    let files = files.into_iter();
    let parts = files.map(|(file, part)| presentation.choose(None, file, part));
    presentation.join(parts.collect(), Vec::new())
}

/// Returns the columns of `shape` to show: all, some of them marked as hidden, or the chosen ones.
/// Each has its position in `shape`, `None` for the file.
pub(crate) fn columns(
    selection: &Selection,
    schema: &ResultSchema,
    several: bool,
) -> Result<Vec<(Option<usize>, ResultColumn)>, QueryError> {
    choice::columns(schema, &selection.columns, (selection.sum, several))
}

/// The sort key of a row; null sorts last in both directions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    number: i64,
    text: Option<Arc<str>>,
}

/// The part of a selection that decides what is shown, checked against the columns.
struct Presentation<'a> {
    schema: &'a ResultSchema,
    ranges: Vec<(usize, Range)>,
    conditions: Vec<(usize, Condition)>,
    sort: Option<(usize, Order)>,
    top: usize,
    totals: bool,
    show: Vec<(Option<usize>, ResultColumn)>,
}

impl<'a> Presentation<'a> {
    fn new(
        selection: &Selection,
        schema: &'a ResultSchema,
        several: bool,
    ) -> Result<Self, QueryError> {
        let find = |word: &str| choice::find(schema, word);
        let mut ranges = Vec::new();
        for wanted in &selection.ranges {
            let at = find(&wanted.column)?;
            let column = schema.columns[at];
            if column.kind == Kind::Text {
                return Err(QueryError::NoNumbers { column: column.key });
            }
            ranges.push((at, Range::parse(&wanted.range, column.kind)?));
        }
        let conditions = selection.conditions.iter();
        let conditions = conditions.map(|text| Condition::parse(text, schema));
        let sort = match (&selection.sort, selection.top) {
            (Some(sort), _) => {
                let at = find(&sort.column)?;
                let ascending = matches!(
                    schema.columns[at].kind,
                    Kind::Text | Kind::Time | Kind::Id | Kind::ExitCode
                );
                let order = if ascending {
                    Order::Ascending
                } else {
                    Order::Descending
                };
                Some((at, sort.order.unwrap_or(order)))
            }
            (None, Some(_)) => known(schema, schema.top_order.or(schema.order)),
            (None, None) => known(schema, schema.order),
        };
        Ok(Self {
            schema,
            ranges,
            conditions: conditions.collect::<Result<_, _>>()?,
            sort,
            top: selection.top.unwrap_or(usize::MAX),
            totals: selection.totals,
            show: choice::columns(schema, &selection.columns, (selection.sum, several))?,
        })
    }

    /// Returns for each column whether its cells decide which rows are shown, or add up to totals.
    fn deciding(&self) -> Vec<bool> {
        let decides = |at: usize| {
            let ranged = self.ranges.iter().any(|&(column, _)| column == at)
                || self.conditions.iter().any(|&(column, _)| column == at);
            let sorted = self.sort.is_some_and(|(column, _)| column == at);
            ranged || sorted || (self.totals && self.schema.columns[at].additive)
        };
        (0..self.schema.columns.len()).map(decides).collect()
    }

    /// Picks the rows of one file that may be shown.
    fn choose<'v>(&self, view: Option<View<'v>>, file: FileInfo, part: Part) -> Chosen<'v> {
        let rows = part.rows;
        let mut picked = Vec::new();
        let mut totals = vec![Value::Null; self.schema.columns.len()];
        let (mut matched, mut bar) = (0, None);
        let integers = self.sort.and_then(|(column, _)| rows.integers(column));
        for row in 0..rows.len() {
            if !self.is_shown(rows.as_ref(), row) {
                continue;
            }
            if self.totals {
                self.total(&mut totals, |column| rows.cell(row, column));
            }
            matched += 1;
            let key = match integers.as_ref().and_then(|integers| integers.get(row)) {
                Some(&integer) => self.key_of(Value::int((integer != NULL_I64).then_some(integer))),
                None => self.key(rows.as_ref(), row),
            };
            let is_below = |bar: &Key| self.compare(&key, bar) != Ordering::Less;
            if bar.as_ref().is_some_and(is_below) {
                continue;
            }
            picked.push((key, u32::try_from(row).unwrap_or(u32::MAX)));
            if self.sort.is_some() && picked.len() / 2 > self.top.max(ROWS_BEFORE_A_CUT) {
                bar = self.cut(&mut picked);
            }
        }
        let depths = match (self.sort, self.schema.tree) {
            (None, Some(_)) => depths(rows.as_ref(), &picked),
            _ => Vec::new(),
        };
        self.cut(&mut picked);
        // The data behind the rows is dropped: that of hundreds of files does not fit into memory.
        picked.sort_unstable_by_key(|&(_, row)| row);
        let numbers: Vec<u32> = picked.iter().map(|&(_, row)| row).collect();
        let rows = rows.only(&numbers, self.schema.columns.len());
        (0..).zip(&mut picked).for_each(|(at, (_, row))| *row = at);
        Chosen {
            view,
            file,
            rows,
            picked,
            depths,
            matched,
            totals,
            notes: part.notes,
        }
    }

    /// Returns whether a row lies in all ranges and meets all conditions.
    fn is_shown(&self, rows: &dyn Rows, row: usize) -> bool {
        let mut ranges = self.ranges.iter();
        let mut conditions = self.conditions.iter();
        ranges.all(|(column, range)| range.contains(&rows.cell(row, *column)))
            && conditions.all(|(column, condition)| condition.holds(&rows.cell(row, *column)))
    }

    /// Keeps the best rows, and returns the key that a later row must beat to be one of them.
    fn cut(&self, picked: &mut Vec<(Key, u32)>) -> Option<Key> {
        if picked.len() <= self.top {
            return None;
        }
        let (_, next, _) = picked.select_nth_unstable_by(self.top, |a, b| {
            self.compare(&a.0, &b.0).then(a.1.cmp(&b.1))
        });
        let bar = next.0.clone();
        picked.truncate(self.top);
        Some(bar)
    }

    fn key(&self, rows: &dyn Rows, row: usize) -> Key {
        match self.sort {
            Some((column, _)) => self.key_of(rows.cell(row, column)),
            None => Key {
                number: 0,
                text: None,
            },
        }
    }

    /// Returns the sort key of a row with `cell` in the sorted column.
    fn key_of(&self, cell: Value) -> Key {
        let order = self.sort.map_or(Order::Descending, |(_, order)| order);
        let (number, text) = match cell {
            Value::Int(value) | Value::Quantity(_, value) => (value, None),
            Value::Float(value) => (ordered(value), None),
            Value::Text(text) | Value::Json(text) => (0, Some(text)),
            Value::Null if order == Order::Ascending => (i64::MAX, None),
            Value::Null => (i64::MIN, None),
        };
        Key { number, text }
    }

    fn compare(&self, a: &Key, b: &Key) -> Ordering {
        match self.sort {
            Some((_, Order::Descending)) => b.cmp(a),
            _ => a.cmp(b),
        }
    }

    fn total(&self, totals: &mut [Value], cell: impl Fn(usize) -> Value) {
        for (at, column) in self.schema.columns.iter().enumerate() {
            if !column.additive {
                continue;
            }
            totals[at] = match (&totals[at], cell(at)) {
                (Value::Int(sum), Value::Int(more)) => Value::Int(sum.saturating_add(more)),
                (Value::Float(sum), Value::Float(more)) => Value::Float(sum + more),
                (Value::Null, more) => more,
                (sum, _) => sum.clone(),
            };
        }
    }

    fn join(
        &self,
        mut parts: Vec<Chosen<'_>>,
        notes: Vec<Note>,
    ) -> Result<ResultTable, QueryError> {
        // Test runs are in the order in which they were recorded.
        parts.sort_by_key(|part| part.file.clock.start_unix_ns.unwrap_or(i64::MAX));
        let schema = self.schema;
        let mut table = ResultTable::new(schema.name, schema.title, &[]);
        table.notes = notes;
        table.contains = schema.contains;
        table.columns = self.show.iter().map(|&(_, column)| column).collect();
        let mut order = Vec::new();
        for (at, part) in (0_u32..).zip(&mut parts) {
            table.matched_rows += part.matched;
            table.files.push(part.file.clone());
            table.notes.append(&mut part.notes);
            order.extend(part.picked.drain(..).map(|(key, row)| (key, at, row)));
        }
        let before = |a: &(Key, u32, u32), b: &(Key, u32, u32)| {
            self.compare(&a.0, &b.0)
                .then_with(|| (a.1, a.2).cmp(&(b.1, b.2)))
        };
        order.sort_by(before);
        order.truncate(self.top);
        complete(&mut parts, &order)?;
        for &(_, at, row) in &order {
            let part = &parts[at as usize];
            let cells = self.show.iter().map(|(column, _)| match column {
                Some(column) => part.rows.cell(row as usize, *column),
                None => Value::Text(Arc::clone(&part.file.name)),
            });
            table.rows.push(cells.collect());
            table.row_files.push(at);
            if self.sort.is_none() && schema.tree.is_some() {
                table
                    .depths
                    .push(part.depths.get(row as usize).copied().unwrap_or(0));
            }
        }
        let shown_at = |wanted: usize| self.show.iter().position(|&(at, _)| at == Some(wanted));
        table.sorted_by = self
            .sort
            .and_then(|(at, order)| Some((shown_at(at)?, order)));
        if let Some((word, style)) = schema.tree.filter(|_| !table.depths.is_empty()) {
            table.tree_column = table.column(word);
            table.tree_style = style;
        }
        if self.totals {
            let mut totals = vec![Value::Null; schema.columns.len()];
            for part in &parts {
                self.total(&mut totals, |column| part.totals[column].clone());
            }
            let cells = self.show.iter().map(|&(at, column)| match at {
                // Shares of several machines do not add up.
                Some(at) if column.kind != Kind::Percent || parts.len() == 1 => totals[at].clone(),
                _ => Value::Null,
            });
            table.totals = Some(cells.collect());
        }
        Ok(table)
    }
}

/// Reads the cells left out of the shown rows: key, part, and row of each.
fn complete(parts: &mut [Chosen<'_>], shown: &[(Key, u32, u32)]) -> Result<(), QueryError> {
    let mut wanted = vec![Vec::new(); parts.len()];
    for &(_, at, row) in shown {
        wanted[at as usize].push(row);
    }
    let parts_and_rows: Vec<_> = parts.iter().zip(wanted).collect();
    let complete = parallel::map(&parts_and_rows, |(part, rows)| {
        let mut rows = rows.clone();
        rows.sort_unstable();
        match part.view {
            Some(view) if !rows.is_empty() => part.rows.complete(view, &rows),
            _ => Ok(None),
        }
    });
    for (part, rows) in parts.iter_mut().zip(complete) {
        if let Some(rows) = rows? {
            part.rows = rows;
        }
    }
    Ok(())
}

/// Returns the depth of each picked row below the nearest picked one above it.
fn depths(rows: &dyn Rows, picked: &[(Key, u32)]) -> Vec<u16> {
    let mut depths = Vec::with_capacity(picked.len());
    // The depths of the open rows, and how many picked rows there are up to each.
    let mut open: Vec<(u16, u16)> = Vec::new();
    let mut picked = picked.iter().map(|&(_, row)| row).peekable();
    for row in 0..rows.len() {
        let depth = rows.depth(row);
        while open.pop_if(|(outer, _)| *outer >= depth).is_some() {}
        let above = open.last().map_or(0, |&(_, above)| above);
        let number = u32::try_from(row).unwrap_or(u32::MAX);
        let is_picked = picked.next_if_eq(&number).is_some();
        if is_picked {
            depths.push(above);
        }
        open.push((depth, above + u16::from(is_picked)));
    }
    depths
}

fn known(schema: &ResultSchema, order: Option<(&'static str, Order)>) -> Option<(usize, Order)> {
    let (word, order) = order?;
    let mut columns = schema.columns.iter();
    Some((columns.position(|column| column.key == word)?, order))
}

/// Returns a number that orders as `value` does.
fn ordered(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

#[cfg(test)]
mod tests;
