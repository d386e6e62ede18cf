//! Numbers that others measured: the text of a table or of a log becomes series.
//!
//! Nothing is guessed silently: a column that is not named is taken only if it is the only one that fits, and anything
//! that is not a number is an error with its line.

mod cells;
mod text;
mod value;

use std::fmt;

use cells::{Table, table};
use text::decoded;
use value::{Decimal, clock_ns, decimal, duration_ns, number};

pub use value::Unit;

/// Rows that are read at most.
const MOST_ROWS: usize = 20_000_000;

/// Most series that a column may separate.
const MOST_SERIES: usize = 1_000;

/// What is asked of a file.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The column with *n*: its name, or its number from 1.
    pub n: Option<String>,
    /// The column with the cost, as its name or number.
    pub duration: Option<String>,
    /// The unit of the cost, if neither the column's name nor the values show it.
    pub unit: Option<Unit>,
    /// The column that separates series.
    pub by: Option<String>,
}

/// A series that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// What distinguishes it from the others; empty if there is only one.
    pub name: String,
    /// The size of each row: from the file, or 1, 2, 3 …
    pub n: Vec<f64>,
    /// The costs in nanoseconds, or as counts.
    pub cost: Vec<f64>,
    /// The unit they had.
    pub unit: Unit,
    /// Whether the file says the sizes.
    pub has_n: bool,
    /// Whether the rows were not in the order of their sizes.
    pub sorted: bool,
}

/// Why a file cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1; 0 is the whole file.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => out.write_str(&self.what),
            line => write!(out, "line {line}: {}", self.what),
        }
    }
}

impl std::error::Error for Wrong {}

fn wrong(line: usize, what: impl Into<String>) -> Wrong {
    Wrong {
        line,
        what: what.into(),
    }
}

/// Returns the series in a file with these `bytes`.
///
/// # Errors
/// When a column is missing or may be several, or a value is not a number.
pub fn read(bytes: &[u8], asked: &Asked) -> Result<Vec<Numbers>, Wrong> {
    let text = decoded(bytes);
    let table = table(&text)?;
    if table.rows.len() > MOST_ROWS {
        return Err(wrong(0, format!("it has more than {MOST_ROWS} rows")));
    }
    let columns = Columns::find(&table, asked)?;
    let unit = columns.unit(&table, asked)?;
    let mut series = columns.series(&table, unit)?;
    for one in &mut series {
        one.order();
    }
    Ok(series)
}

/// Which columns are what.
#[derive(Debug, Clone, Copy)]
struct Columns {
    n: Option<usize>,
    duration: usize,
    by: Option<usize>,
}

impl Columns {
    fn find(table: &Table<'_>, asked: &Asked) -> Result<Self, Wrong> {
        let named = |name: &Option<String>| match name {
            Some(name) => table.column(name).map(Some),
            None => Ok(None),
        };
        let (n, duration, by) = (named(&asked.n)?, named(&asked.duration)?, named(&asked.by)?);
        let free = |column: &usize| Some(*column) != n && Some(*column) != by;
        let numeric: Vec<usize> = (0..table.width())
            .filter(free)
            .filter(|&column| table.is_numeric(column))
            .collect();
        let several = |columns: &[usize]| {
            let names: Vec<String> = columns.iter().map(|&at| table.name(at)).collect();
            let text = format!(
                "several columns may be the duration; name one with --duration: {}",
                names.join(", ")
            );
            wrong(table.line, text)
        };
        let timed: Vec<usize> = (0..table.width())
            .filter(free)
            .filter(|&column| table.unit_of(column).is_some())
            .collect();
        let duration = match (duration, timed.as_slice(), numeric.as_slice()) {
            (Some(column), _, _) => column,
            (None, &[column], _) | (None, [], &[column]) => column,
            // The first of two counts the second.
            (None, [], &[first, second]) if n.is_none() && table.counts(first) => second,
            (None, [], []) => return Err(wrong(table.line, "no column holds numbers")),
            (None, [], columns) | (None, columns, _) => return Err(several(columns)),
        };
        let sizes: Vec<usize> = numeric
            .iter()
            .copied()
            .filter(|&column| column != duration && table.counts(column))
            .collect();
        let n = match (n, sizes.as_slice()) {
            (None, &[column]) if table.width() == 2 || table.is_called_n(column) => Some(column),
            (None, columns) => columns.iter().copied().find(|&at| table.is_called_n(at)),
            (n, _) => n,
        };
        Ok(Self { n, duration, by })
    }

    /// Returns the unit: as requested, or as the column's name or its values show.
    fn unit(self, table: &Table<'_>, asked: &Asked) -> Result<Unit, Wrong> {
        if asked.unit.is_none() && table.is_of_day(self.duration) {
            let text = "these look like times of day: --unit clock takes their differences as the durations, --unit s \
                        takes them as durations";
            return Err(wrong(table.line, text));
        }
        let told = asked.unit.or_else(|| table.unit_of(self.duration));
        told.ok_or_else(|| {
            let text = "the durations have no unit: say with --unit whether they are ns, us, ms or s, or a \
                        count";
            wrong(table.line, text)
        })
    }

    fn series(self, table: &Table<'_>, unit: Unit) -> Result<Vec<Numbers>, Wrong> {
        let point = table.decimal(self.duration);
        let mut all: Vec<Numbers> = Vec::new();
        let mut last_clock: Option<f64> = None;
        for row in &table.rows {
            let cell = row.cell(self.duration)?;
            let bad = |what: &str, cell: &str| {
                let shown: String = cell.chars().take(40).collect();
                let column = table.name(self.duration);
                wrong(row.line, format!("{shown:?} in {column} is not a {what}"))
            };
            let cost = match unit {
                Unit::Clock => {
                    let now = clock_ns(cell).ok_or_else(|| bad("time of day", cell))?;
                    let before = last_clock.replace(now);
                    let Some(before) = before else { continue };
                    // After midnight.
                    if now < before {
                        now + 86_400e9 - before
                    } else {
                        now - before
                    }
                }
                unit => duration_ns(cell, unit, point).ok_or_else(|| bad("number", cell))?,
            };
            let name = match self.by {
                Some(by) => row.cell(by)?,
                None => "",
            };
            let at = match all.iter().position(|one| one.name == name) {
                Some(at) => at,
                None if all.len() == MOST_SERIES => {
                    let text = format!("there are more than {MOST_SERIES} series");
                    return Err(wrong(row.line, text));
                }
                None => {
                    all.push(Numbers {
                        name: name.to_owned(),
                        n: Vec::new(),
                        cost: Vec::new(),
                        unit,
                        has_n: self.n.is_some(),
                        sorted: false,
                    });
                    all.len() - 1
                }
            };
            let one = &mut all[at];
            let size = match self.n {
                Some(column) => {
                    let cell = row.cell(column)?;
                    let size = number(cell, Decimal::Point).filter(|n| *n >= 0.0);
                    let column = table.name(column);
                    let text = || format!("{cell:?} in {column} is not a count");
                    size.ok_or_else(|| wrong(row.line, text()))?
                }
                None => crate::bins::count(one.n.len() + 1),
            };
            one.n.push(size);
            one.cost.push(cost);
        }
        if all.is_empty() {
            return Err(wrong(0, "it holds no durations"));
        }
        table.tells_apart(self, &all)?;
        Ok(all)
    }
}

impl Numbers {
    /// Puts the rows in the order of their sizes.
    fn order(&mut self) {
        if self.n.is_sorted() {
            return;
        }
        let mut rows: Vec<(f64, f64)> = self.n.drain(..).zip(self.cost.drain(..)).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        (self.n, self.cost) = rows.into_iter().unzip();
        self.sorted = true;
    }
}

impl Table<'_> {
    /// Refuses rows whose sizes begin anew where a column names something else: these are several series.
    fn tells_apart(&self, columns: Columns, all: &[Numbers]) -> Result<(), Wrong> {
        let mixed = all.iter().any(|one| !one.n.is_sorted());
        if !mixed || columns.by.is_some() {
            return Ok(());
        }
        let words = (0..self.width()).find(|&column| {
            let differ = |pair: &[cells::Row<'_>]| pair[0].cell(column) != pair[1].cell(column);
            !self.is_numeric(column) && self.rows.windows(2).any(differ)
        });
        let Some(column) = words else {
            return Ok(());
        };
        let name = self.name(column);
        let text = format!(
            "these are several series: name the column that separates them, as --by {name:?}"
        );
        Err(wrong(self.line, text))
    }

    /// Returns how the numbers of a column are written.
    fn decimal(&self, column: usize) -> Decimal {
        decimal(self.rows.iter().filter_map(|row| row.cell(column).ok()))
    }
}

#[cfg(test)]
mod tests;
