//! Costs over *n* for a terminal.
//!
//! ```text
//! 713 µs ┤                                         ··•
//!        │                               ···••••••••
//!        │             ·····•••••••••••••
//!   0 ns ┤•••••••••••••
//!         1                                     50,000 files
//! • median  · 95 of 100 are below  ^ some took over twice as long as shown, up to 12 ms
//! ```
//!
//! A column stands for equally many neighboring operations.

use std::io::{self, Write};

use crate::measure::{pad, width};
use crate::number;
use crate::paint::Paint;

/// What a curve shows.
#[derive(Debug, Clone, Copy)]
pub struct Curve<'a> {
    /// The size each operation met.
    pub n: &'a [f64],
    /// How long each took.
    pub duration_ns: &'a [u64],
    /// What *n* counts.
    pub things: &'a str,
}

/// Lines of the plot.
const HEIGHT: usize = 10;

/// One column of the plot.
struct Column {
    median: u64,
    most: u64,
    longest: u64,
}

/// Writes `curve` into `room` columns of a terminal; nothing if there is nothing to show.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_curve(
    curve: &Curve<'_>,
    room: usize,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = columns(curve, room.clamp(30, 120) - 12);
    // The medians show the law: what scatters far above them must not flatten it.
    let medians = columns.iter().map(|column| column.median).max();
    let most = columns.iter().map(|column| column.most).max();
    let top = most
        .unwrap_or(0)
        .min(medians.unwrap_or(0).saturating_mul(3) / 2);
    if top == 0 {
        return Ok(());
    }
    let top_label = number::duration(i64::try_from(top).unwrap_or(i64::MAX));
    let labels = width(&top_label).max(4);
    for line in (0..HEIGHT).rev() {
        let label = match line {
            0 => "0",
            _ if line == HEIGHT - 1 => &top_label,
            _ => "",
        };
        let mut text = String::new();
        pad(&mut text, label, labels, true);
        text.push_str(if label.is_empty() { " │" } else { " ┤" });
        let marks: String = columns
            .iter()
            .map(|column| mark(column, line, top))
            .collect();
        text.push_str(&paint.bar(marks.trim_end()));
        writeln!(out, "{}", text.trim_end())?;
    }
    let first = axis(curve.n.first());
    let last = format!("{} {}", axis(curve.n.last()), curve.things);
    let mut axis = " ".repeat(labels + 2) + &first;
    let rest = columns.len().saturating_sub(width(&first));
    // A short series has a short axis: its ends must not run into one number.
    pad(&mut axis, &last, rest.max(width(&last) + 2), true);
    writeln!(out, "{}", paint.faint(&axis))?;
    let mut legend = "• median  · 95 of 100 are below".to_owned();
    let longest = columns
        .iter()
        .map(|column| column.longest)
        .max()
        .unwrap_or(0);
    if longest / 2 > top {
        let longest = number::duration(i64::try_from(longest).unwrap_or(i64::MAX));
        legend += &format!("  ^ some took over twice as long as shown, up to {longest}");
    }
    writeln!(out, "{}{}", " ".repeat(labels + 2), paint.faint(&legend))
}

fn axis(n: Option<&f64>) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
    let n = n.map_or(0, |n| n.round().clamp(0.0, 9e15) as i64);
    number::grouped(n)
}

fn columns(curve: &Curve<'_>, most: usize) -> Vec<Column> {
    let len = curve.duration_ns.len();
    let count = most.min(len);
    let edge = |column: usize| column * len / count;
    (0..count)
        .map(|column| {
            let mut part = curve.duration_ns[edge(column)..edge(column + 1)].to_vec();
            part.sort_unstable();
            let at = |percent: usize| part.get((part.len() - 1) * percent / 100).copied();
            Column {
                median: at(50).unwrap_or(0),
                most: at(95).unwrap_or(0),
                longest: at(100).unwrap_or(0),
            }
        })
        .collect()
}

fn mark(column: &Column, line: usize, top: u64) -> char {
    if height(column.median, top) == line {
        '•'
    } else if line == HEIGHT - 1 && column.longest / 2 > top {
        '^'
    } else if column.most <= top && height(column.most, top) == line {
        '·'
    } else {
        ' '
    }
}

fn height(value: u64, top: u64) -> usize {
    let lines = u128::try_from(HEIGHT).unwrap_or(1);
    let line = u128::from(value) * lines / (u128::from(top) + 1);
    usize::try_from(line).unwrap_or(0).min(HEIGHT - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_rises_and_outliers_are_marked() {
        let n: Vec<f64> = (1..=400).map(f64::from).collect();
        let mut duration_ns: Vec<u64> = (1..=400).map(|n| n * 1_000).collect();
        duration_ns[3] = 9_000_000;
        let curve = Curve {
            n: &n,
            duration_ns: &duration_ns,
            things: "files",
        };
        let mut out = Vec::new();
        write_curve(&curve, 32, Paint::Plain, &mut out).unwrap();
        let expected = "\
399.0 µs ┤^                 ••
         │                ••
         │              ••
         │            ••
         │          ••
         │        ••
         │      ••
         │    ••
         │  ••
       0 ┤••
          1          400 files
          • median  · 95 of 100 are below  ^ some took over twice as long as shown, up to 9.00 ms
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn the_ends_of_a_short_axis_stay_two_numbers() {
        let curve = Curve {
            n: &[1.0, 2.0, 1_024.0],
            duration_ns: &[1_000, 2_000, 3_000],
            things: "runs",
        };
        let mut out = Vec::new();
        write_curve(&curve, 80, Paint::Plain, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(" 1  1,024 runs"), "{text}");
    }

    #[test]
    fn nothing_shows_nothing() {
        let mut out = Vec::new();
        let curve = Curve {
            n: &[],
            duration_ns: &[],
            things: "files",
        };
        write_curve(&curve, 80, Paint::Plain, &mut out).unwrap();
        assert_eq!(out, []);
    }
}
