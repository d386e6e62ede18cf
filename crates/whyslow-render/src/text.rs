//! The table for a person.
//!
//! Numbers are aligned to the right and are never cut; names are cut with `…` where the
//! terminal ends, and nowhere if there is none. The largest row comes first, right below the
//! heading, so `--top 5` and `| head` show the same rows.

use std::io::{self, Write};

use whyslow_results::{Clock, ResultTable, TreeStyle, Value};

use crate::cell::{CellStyle, TimeStyle, UNKNOWN};
use crate::layout::{self, GAP, Wish};
use crate::measure::{cut, cut_chain, cut_front, cut_middle, pad, width, wrap};
use crate::paint::Paint;
use crate::tree;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns of the terminal; `None` cuts nothing and leaves no column out.
    pub width: Option<usize>,
    /// Whether headings and guides are styled.
    pub paint: Paint,
    /// How times are written.
    pub time: TimeStyle,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            width: None,
            paint: Paint::Plain,
            time: TimeStyle::default(),
        }
    }
}

/// Writes `table`; returns the keys of the columns that a narrow terminal had no room for.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_text(
    table: &ResultTable,
    options: &TextOptions,
    out: &mut dyn Write,
) -> io::Result<Vec<&'static str>> {
    let mut writer = TextWriter::new(*options);
    writer.rows(table, out)?;
    Ok(writer.left_out)
}

/// Writes a table in parts, whose rows come in blocks: the first decides how wide the columns are.
#[derive(Debug)]
pub struct TextWriter {
    options: TextOptions,
    layout: Option<Layout>,
    left_out: Vec<&'static str>,
}

/// Where the columns of a table are.
#[derive(Debug)]
struct Layout {
    /// Room per column; `None` for one that has none.
    widths: Vec<Option<usize>>,
    /// Whether sentences are below their row.
    sentences_below: bool,
}

impl TextWriter {
    /// Returns a writer that has written nothing.
    pub fn new(options: TextOptions) -> Self {
        Self {
            options,
            layout: None,
            left_out: Vec::new(),
        }
    }

    /// Returns the keys of the columns that a narrow terminal had no room for.
    pub fn left_out(&self) -> &[&'static str] {
        &self.left_out
    }

    /// Writes the rows of a block, and before the first one the heading; then its totals.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn rows(&mut self, table: &ResultTable, out: &mut dyn Write) -> io::Result<()> {
        let options = self.options;
        let mut columns = columns(table, &options);
        if columns.is_empty() {
            return Ok(());
        }
        if options.width.is_some() {
            for column in &mut columns {
                column.wrap_heading();
            }
        }
        let sentences = match &self.layout {
            None => take_sentences(&mut columns, options.width),
            Some(layout) if layout.sentences_below => all_sentences(&mut columns),
            Some(_) => Vec::new(),
        };
        let is_first = self.layout.is_none();
        let layout = self.layout.get_or_insert_with(|| {
            let wishes: Vec<Wish> = columns.iter().map(Column::wish).collect();
            Layout {
                widths: layout::fit(&wishes, options.width),
                sentences_below: !sentences.is_empty(),
            }
        });
        let mut shown: Vec<(Column, usize)> = Vec::new();
        for (column, width) in columns.into_iter().zip(&layout.widths) {
            match width {
                Some(width) => shown.push((column, *width)),
                None if is_first => self.left_out.push(column.key),
                None => {}
            }
        }
        if is_first {
            write_heading(&shown, options.paint, out)?;
        }
        let cuts = options.width.is_some();
        for row in 0..table.rows.len() {
            write_line(&shown, row, cuts, options.paint, out)?;
            write_sentences(&sentences, row, options.width, out)?;
        }
        if table.totals.is_some() {
            write_totals(&shown, table.rows.len(), options.paint, out)?;
        }
        Ok(())
    }
}

/// Key of the column that names extracts.
const FILE: &str = "file";

/// What all of their names end with.
const SUFFIX: &str = ".whyslow";

/// One column, its cells already text.
struct Column {
    key: &'static str,
    heading: Vec<String>,
    cells: Vec<Cell>,
    at_right: bool,
    elastic: bool,
    priority: u8,
    tree: Option<TreeStyle>,
    sentences: bool,
}

struct Cell {
    guide: String,
    text: String,
}

impl Cell {
    fn width(&self) -> usize {
        width(&self.guide) + width(&self.text)
    }
}

impl Column {
    fn cells_width(&self) -> usize {
        self.cells.iter().map(Cell::width).max().unwrap_or(0)
    }

    fn wish(&self) -> Wish {
        let heading = self.heading.iter().map(|line| width(line)).max();
        Wish {
            natural: self.cells_width().max(heading.unwrap_or(0)),
            elastic: self.elastic,
            tree: self.tree.is_some(),
            priority: self.priority,
        }
    }

    /// Breaks the heading of a column of numbers into at most two lines, as narrow as they go.
    fn wrap_heading(&mut self) {
        let Some(heading) = self.heading.pop() else {
            return;
        };
        if !self.at_right {
            self.heading.push(heading);
            return;
        }
        let words: Vec<&str> = heading.split(' ').collect();
        let lines = |at: usize| {
            let lines = [words[..at].join(" "), words[at..].join(" ")];
            lines.into_iter().filter(|line| !line.is_empty()).collect()
        };
        let whole = width(&heading) <= self.cells_width();
        let candidates = if whole { 0..1 } else { 0..words.len() };
        let candidates = candidates.map(lines);
        let best = candidates.min_by_key(|lines: &Vec<String>| {
            lines.iter().map(|line| width(line)).max().unwrap_or(0)
        });
        self.heading = best.unwrap_or_default();
    }
}

fn columns(table: &ResultTable, options: &TextOptions) -> Vec<Column> {
    let styles = CellStyle::of(table, options.time);
    let guides = tree::guides(&table.depths, table.tree_style);
    let unknown_clock = Clock::default();
    let mut columns = Vec::new();
    for (at, (column, style)) in table.columns.iter().zip(&styles).enumerate() {
        if !column.shown {
            continue;
        }
        let cell = |row: usize| {
            let clock = table
                .file_of(row)
                .map_or(&unknown_clock, |file| &file.clock);
            let value = table.rows.get(row).and_then(|cells| cells.get(at));
            let in_tree = table.tree_column == Some(at);
            let guide = guides.get(row).filter(|_| in_tree);
            let mut text = style.text(value.unwrap_or(&Value::Null), clock);
            if options.width.is_some() && column.key == FILE && text.ends_with(SUFFIX) {
                text.truncate(text.len() - SUFFIX.len());
            }
            Cell {
                guide: guide.cloned().unwrap_or_default(),
                text,
            }
        };
        let mut cells: Vec<Cell> = (0..table.rows.len()).map(cell).collect();
        if let Some(totals) = &table.totals {
            let value = totals.get(at).filter(|value| **value != Value::Null);
            let text = value.map_or_else(String::new, |value| style.text(value, &unknown_clock));
            cells.push(Cell {
                guide: String::new(),
                text,
            });
        }
        let heading = format!("{} {}", column.heading, style.label());
        columns.push(Column {
            key: column.key,
            heading: vec![heading.trim_end().to_owned()],
            cells,
            at_right: style.at_right(),
            elastic: column.elastic,
            priority: column.priority,
            sentences: column.sentences,
            tree: (table.tree_column == Some(at)).then_some(table.tree_style),
        });
    }
    name_totals(&mut columns, table);
    columns
}

/// Takes the columns of sentences out of a table that is wider than the terminal with them.
fn take_sentences(columns: &mut Vec<Column>, room: Option<usize>) -> Vec<Column> {
    let natural: usize = columns.iter().map(|c| c.wish().natural + GAP).sum();
    if room.is_none_or(|room| natural <= room + GAP) {
        return Vec::new();
    }
    all_sentences(columns)
}

fn all_sentences(columns: &mut Vec<Column>) -> Vec<Column> {
    columns.extract_if(.., |column| column.sentences).collect()
}

/// Spaces before what is below a row.
const INDENT: &str = "    ";

/// Writes the sentences of a row below it.
fn write_sentences(
    columns: &[Column],
    row: usize,
    room: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let room = room.unwrap_or(usize::MAX).saturating_sub(INDENT.len());
    for (at, column) in columns.iter().enumerate() {
        let text = column.cells.get(row).map_or("", |cell| cell.text.as_str());
        if text.is_empty() || text == UNKNOWN {
            continue;
        }
        let text = match column.heading.first().filter(|_| at > 0) {
            Some(heading) => format!("{heading}: {text}"),
            None => text.to_owned(),
        };
        for line in wrap(&text, room) {
            writeln!(out, "{INDENT}{line}")?;
        }
    }
    Ok(())
}

/// Says what the row of totals is, if its first cell has room for it.
fn name_totals(columns: &mut [Column], table: &ResultTable) {
    let first = columns.first_mut().filter(|column| !column.at_right);
    if let (Some(column), Some(_)) = (first, &table.totals) {
        let cell = column.cells.last_mut();
        if let Some(cell) = cell.filter(|cell| cell.text.is_empty()) {
            "Total".clone_into(&mut cell.text);
        }
    }
}

fn write_heading(columns: &[(Column, usize)], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let lines = columns.iter().map(|(column, _)| column.heading.len()).max();
    let lines = lines.unwrap_or(0);
    for line in 0..lines {
        let mut text = String::new();
        for (at, (column, room)) in columns.iter().enumerate() {
            // The last line of every heading is right above the values.
            let own = (line + column.heading.len()).checked_sub(lines);
            let words = own.and_then(|own| column.heading.get(own));
            let words = cut(words.map_or("", String::as_str), *room);
            separate(&mut text, at);
            pad(&mut text, &words, *room, column.at_right);
        }
        writeln!(out, "{}", paint.heading(text.trim_end()))?;
    }
    Ok(())
}

fn write_line(
    columns: &[(Column, usize)],
    row: usize,
    cuts: bool,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = String::new();
    for (at, (column, room)) in columns.iter().enumerate() {
        separate(&mut line, at);
        let Some(cell) = column.cells.get(row) else {
            continue;
        };
        let room = if cuts { *room } else { cell.width().max(*room) };
        // Half of the room is the name's, however deep the tree.
        let for_guide = room.saturating_sub(width(&cell.text).min(room / 2));
        let guide = cut_front(&cell.guide, for_guide);
        let for_text = room.saturating_sub(width(&guide));
        let text = match column.tree {
            Some(TreeStyle::Chains) => cut_chain(&cell.text, for_text),
            None if column.key == FILE => cut_middle(&cell.text, for_text),
            _ => cut(&cell.text, for_text),
        };
        let missing = room.saturating_sub(width(&guide) + width(&text));
        let padding = " ".repeat(missing);
        let last = at + 1 == columns.len();
        if column.at_right {
            line.push_str(&padding);
        }
        line.push_str(&paint.faint(&guide));
        if text == UNKNOWN {
            line.push_str(&paint.faint(&text));
        } else {
            line.push_str(&text);
        }
        if !column.at_right && !last {
            line.push_str(&padding);
        }
    }
    writeln!(out, "{}", line.trim_end())
}

fn write_totals(
    columns: &[(Column, usize)],
    row: usize,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut rule = String::new();
    for (at, (column, room)) in columns.iter().enumerate() {
        separate(&mut rule, at);
        let summed = column
            .cells
            .get(row)
            .is_some_and(|cell| !cell.text.is_empty());
        let mark = if summed { "─" } else { " " };
        rule.push_str(&mark.repeat(*room));
    }
    writeln!(out, "{}", paint.faint(rule.trim_end()))?;
    write_line(columns, row, true, paint, out)
}

fn separate(line: &mut String, at: usize) {
    if at > 0 {
        line.push_str(&" ".repeat(GAP));
    }
}

#[cfg(test)]
mod tests;
