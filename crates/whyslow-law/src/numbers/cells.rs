//! Text becomes rows and columns: tables with or without a header, and logs with one number per line.

use super::value::{Decimal, Unit, clock_ns, number, span_ns, with_unit};
use super::{Wrong, wrong};

/// Columns at most.
const MOST_COLUMNS: usize = 1_000;

/// Rows that are examined to see what a column holds.
const LOOKED_AT: usize = 1_000;

/// The line of PowerShell's `Measure-Command` that has the total.
const TOTAL: &str = "TotalMilliseconds";

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row<'a> {
    /// Its line, from 1.
    pub(super) line: usize,
    cells: Vec<&'a str>,
}

impl<'a> Row<'a> {
    /// Returns the cell of a column.
    pub(super) fn cell(&self, column: usize) -> Result<&'a str, Wrong> {
        let cell = self.cells.get(column).copied();
        cell.ok_or_else(|| {
            let text = format!("it ends before column {}", column + 1);
            wrong(self.line, text)
        })
    }
}

/// Rows with their header.
#[derive(Debug, Clone)]
pub(super) struct Table<'a> {
    header: Vec<&'a str>,
    /// The line of the header, or of the first row.
    pub(super) line: usize,
    pub(super) rows: Vec<Row<'a>>,
}

/// Returns the table in `text`.
pub(super) fn table(text: &str) -> Result<Table<'_>, Wrong> {
    let lines = || {
        let lines = (1..).zip(text.lines());
        let lines =
            lines.map(|(number, line)| (number, line.trim_matches(['\u{feff}', '\0', '\r'])));
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    };
    if let Some(table) = measured_commands(lines()) {
        return Ok(table);
    }
    let split = separator(lines().map(|(_, line)| line).take(LOOKED_AT));
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (line, text) in lines() {
        let cells = cells(text, split).ok_or_else(|| wrong(line, "a quote is not closed"))?;
        if cells.len() > MOST_COLUMNS {
            return Err(wrong(
                line,
                format!("it has more than {MOST_COLUMNS} columns"),
            ));
        }
        rows.push(Row { line, cells });
    }
    let first = rows.first().ok_or_else(|| wrong(0, "it is empty"))?;
    let line = first.line;
    let is_header = !first.cells.iter().any(|cell| is_value(cell));
    let header = if is_header {
        rows.remove(0).cells
    } else {
        Vec::new()
    };
    if rows.is_empty() {
        return Err(wrong(line, "there are no numbers below the header"));
    }
    Ok(Table { header, line, rows })
}

/// Returns the table of what PowerShell's `Measure-Command` printed, again and again.
fn measured_commands<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Option<Table<'a>> {
    let mut rows = Vec::new();
    for (line, text) in lines {
        let Some((name, value)) = text.split_once(':') else {
            continue;
        };
        if name.trim() == TOTAL {
            let cells = vec![value.trim()];
            rows.push(Row { line, cells });
        }
    }
    let line = rows.first()?.line;
    let header = vec![TOTAL];
    Some(Table { header, line, rows })
}

/// What separates cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    One(char),
    Space,
    Nothing,
}

/// Returns what separates the cells of these lines.
fn separator<'a>(lines: impl Iterator<Item = &'a str>) -> Separator {
    let lines: Vec<&str> = lines.collect();
    // A damaged line does not decide.
    let all = |sign: char| {
        let with = lines.iter().filter(|line| line.contains(sign));
        with.count() * 3 >= lines.len() * 2
    };
    if let Some(sign) = ['\t', ';', '|'].into_iter().find(|sign| all(*sign)) {
        return Separator::One(sign);
    }
    if all(',') && !lines.iter().all(|line| is_decimal(line)) && !are_clocks(&lines) {
        return Separator::One(',');
    }
    if all(',') && lines.len() > 1 && counts_up(&lines) {
        return Separator::One(',');
    }
    let words = |line: &&str| line.split_whitespace().count() > 1;
    let value = |line: &&str| is_value(line);
    if lines.iter().all(words) && !lines.iter().skip(1).all(value) {
        return Separator::Space;
    }
    Separator::Nothing
}

/// Returns whether a line may be one number with a decimal comma.
fn is_decimal(line: &str) -> bool {
    line.matches(',').count() == 1 && with_unit(line, Decimal::Comma).is_some()
}

/// Returns whether all lines are times of day with a decimal comma, as batch files of many countries print them. Their
/// fractions have the same digits; numbers of a second column rarely do.
fn are_clocks(lines: &[&str]) -> bool {
    let fraction = |line: &&str| {
        let time = line.split_whitespace().next_back()?;
        let (_, fraction) = time.split_once(',')?;
        clock_ns(line).map(|_| fraction.len())
    };
    let digits: Vec<Option<usize>> = lines.iter().map(fraction).collect();
    let same = digits.windows(2).all(|pair| pair[0] == pair[1]);
    same && digits
        .first()
        .is_some_and(|digits| digits.is_some_and(|digits| digits >= 2))
}

/// Returns whether the numbers before the commas count up: then they separate columns.
fn counts_up(lines: &[&str]) -> bool {
    let before = lines
        .iter()
        .map(|line| line.split(',').next().unwrap_or(""));
    let numbers: Vec<Option<f64>> = before.map(|text| number(text, Decimal::Point)).collect();
    numbers.windows(2).all(|pair| pair[0] < pair[1]) && numbers.first().is_some_and(Option::is_some)
}

/// Returns the cells of a line; `None` where a quote is not closed.
fn cells(line: &str, separator: Separator) -> Option<Vec<&str>> {
    let sign = match separator {
        Separator::Nothing => return Some(vec![line.trim()]),
        Separator::Space => {
            let words = line.split_whitespace();
            return Some(words.map(|word| word.trim_end_matches(':')).collect());
        }
        Separator::One(sign) => sign,
    };
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let begin = rest.trim_start_matches(' ');
        if let Some(quoted) = begin.strip_prefix('"') {
            let (cell, after) = quoted.split_once('"')?;
            cells.push(cell.trim());
            match after.split_once(sign) {
                Some((_, next)) => rest = next,
                None => return Some(cells),
            }
            continue;
        }
        match rest.split_once(sign) {
            Some((cell, next)) => {
                cells.push(cell.trim());
                rest = next;
            }
            None => {
                cells.push(rest.trim());
                return Some(cells);
            }
        }
    }
}

/// Returns whether a cell is a number or a duration, however written.
fn is_value(cell: &str) -> bool {
    let number = |decimal| with_unit(cell, decimal).is_some();
    number(Decimal::Point) || number(Decimal::Comma) || span_ns(cell).is_some()
}

impl Table<'_> {
    /// Returns whether the cells of a column look like times of day: none is less than the one before, but once, at
    /// midnight; and the first is an hour or more, which hardly any duration is.
    pub(super) fn is_of_day(&self, column: usize) -> bool {
        let rows = self.rows.iter().take(LOOKED_AT);
        let times: Option<Vec<f64>> = rows
            .map(|row| row.cells.get(column).and_then(|cell| clock_ns(cell)))
            .collect();
        let times = times.filter(|times| times.len() >= 3);
        times.is_some_and(|times| {
            let falls = times.windows(2).filter(|pair| pair[1] < pair[0]).count();
            let late = times.first().is_some_and(|first| *first >= 3_600e9);
            falls <= 1 && late
        })
    }

    /// Returns the number of columns.
    pub(super) fn width(&self) -> usize {
        let rows = self.rows.iter().take(LOOKED_AT).map(|row| row.cells.len());
        rows.max().unwrap_or(0).max(self.header.len())
    }

    /// Returns what a column is called.
    pub(super) fn name(&self, column: usize) -> String {
        let name = self.header.get(column).filter(|name| !name.is_empty());
        name.map_or_else(
            || format!("column {}", column + 1),
            |name| (*name).to_owned(),
        )
    }

    /// Returns the column with this name or number.
    pub(super) fn column(&self, name: &str) -> Result<usize, Wrong> {
        let wanted = name.trim().to_lowercase();
        let same = |one: &&str| one.to_lowercase() == wanted;
        if let Some(at) = self.header.iter().position(same) {
            return Ok(at);
        }
        let by_number = wanted.parse::<usize>().ok();
        let by_number = by_number.filter(|at| (1..=self.width()).contains(at));
        if let Some(at) = by_number {
            return Ok(at - 1);
        }
        let all: Vec<String> = (0..self.width()).map(|at| self.name(at)).collect();
        let text = format!("there is no column {name:?}; there are {}", all.join(", "));
        Err(wrong(self.line, text))
    }

    /// Returns whether most cells of a column are numbers.
    pub(super) fn is_numeric(&self, column: usize) -> bool {
        let rows = || self.rows.iter().take(LOOKED_AT);
        let numbers = rows().filter(|row| row.cell(column).is_ok_and(is_value));
        numbers.count() * 2 > rows().count()
    }

    /// Returns whether a column holds whole numbers that do not fall: what was there when the cost was paid.
    pub(super) fn counts(&self, column: usize) -> bool {
        let of = |row: &Row<'_>| number(row.cell(column).ok()?, Decimal::Point);
        let numbers: Vec<Option<f64>> = self.rows.iter().take(LOOKED_AT).map(of).collect();
        let whole = |n: &Option<f64>| n.is_some_and(|n| n.fract().abs() < 1e-9);
        let rising = numbers.windows(2).all(|pair| pair[0] <= pair[1]);
        let differ = numbers.first() != numbers.last() || numbers.len() == 1;
        numbers.iter().all(whole) && (rising && differ || self.is_called_n(column))
    }

    /// Returns whether a column's name says that it holds sizes.
    pub(super) fn is_called_n(&self, column: usize) -> bool {
        const NAMES: [&str; 9] = [
            "n",
            "count",
            "files",
            "size",
            "objects",
            "items",
            "index",
            "number",
            "operation",
        ];
        let name = self.header.get(column).map(|name| name.to_lowercase());
        name.is_some_and(|name| NAMES.contains(&name.as_str()))
    }

    /// Returns the unit that a column's name or its values show.
    pub(super) fn unit_of(&self, column: usize) -> Option<Unit> {
        let named = self.header.get(column).and_then(|name| Unit::of_name(name));
        let cell = self.rows.first().and_then(|row| row.cell(column).ok())?;
        let point = self.decimal(column);
        let own = with_unit(cell, point).and_then(|(_, unit)| unit);
        let span = span_ns(cell).map(|_| Unit::Span);
        own.or(span).or(named)
    }
}
