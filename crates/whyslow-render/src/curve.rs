//! Costs over *n* for a terminal.
//!
//! ```text
//! 713 µs ┤                                         ··•
//!        │                               ···••••••••
//!        │             ·····•••••••••••••
//!   0 ns ┤•••••••••••••
//!         1                                     50,000 files
//! • median  · 95 of 100 are below  - the law  ░ its range  ^ some took over twice as long as shown, up to 12 ms
//! ```
//!
//! A column has the operations of an equal part of the sizes, so a straight line looks straight.

use std::io::{self, Write};

use crate::fit::Fit;
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
    /// What each point is.
    pub points: Points,
}

/// What the points of a curve are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// Operations.
    Operations,
    /// What 99 of 100 operations took at most.
    Slow,
}

/// Lines of the plot.
const HEIGHT: usize = 10;

/// One column of the plot.
struct Column {
    median: u64,
    most: u64,
    longest: u64,
}

/// Writes `curve`, and the law `fit` that was found, into `room` columns of a terminal; nothing if there is
/// nothing to show.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_curve(
    curve: &Curve<'_>,
    fit: Option<&Fit>,
    room: usize,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = columns(curve, room.clamp(30, 120) - 12);
    // The medians show the law: what scatters far above them must not flatten it.
    let shown = || columns.iter().flatten();
    let medians = shown().map(|column| column.median).max();
    let most = shown().map(|column| column.most).max();
    let top = most
        .unwrap_or(0)
        .min(medians.unwrap_or(0).saturating_mul(3) / 2);
    if top == 0 {
        return Ok(());
    }
    let top_label = number::brief_duration(i64::try_from(top).unwrap_or(i64::MAX));
    let labels = width(&top_label).max(4);
    let law = law_lines(curve, fit, columns.len(), top);
    for line in (0..HEIGHT).rev() {
        let label = match line {
            0 => "0",
            _ if line == HEIGHT - 1 => &top_label,
            _ => "",
        };
        let mut text = String::new();
        pad(&mut text, label, labels, true);
        text.push_str(if label.is_empty() { " │" } else { " ┤" });
        let of = |(column, law): (&Option<Column>, &LawAt)| {
            let mark = column
                .as_ref()
                .map_or(' ', |column| mark(column, line, top));
            if mark == ' ' { law.mark(line) } else { mark }
        };
        let marks: String = columns.iter().zip(&law).map(of).collect();
        text.push_str(&paint.bar(marks.trim_end()));
        writeln!(out, "{}", text.trim_end())?;
    }
    let first = axis(curve.n.first());
    let last = match curve.things {
        "n" => format!("n = {}", axis(curve.n.last())),
        things => format!("{} {things}", axis(curve.n.last())),
    };
    let mut axis = " ".repeat(labels + 2) + &first;
    let rest = columns.len().saturating_sub(width(&first));
    // A short series has a short axis: its ends must not run into one number.
    pad(&mut axis, &last, rest.max(width(&last) + 2), true);
    writeln!(out, "{}", paint.faint(&axis))?;
    let mut legend = "• median  · 95 of 100 are below".to_owned();
    if law.iter().any(|law| law.line.is_some()) {
        legend += "  - the law";
    }
    if law.iter().any(LawAt::has_band) {
        legend += "  ░ its range";
    }
    let longest = shown().map(|column| column.longest).max().unwrap_or(0);
    if longest / 2 > top {
        let longest = number::brief_duration(i64::try_from(longest).unwrap_or(i64::MAX));
        legend += &format!("  ^ some took over twice as long as shown, up to {longest}");
    }
    writeln!(out, "{}{}", " ".repeat(labels + 2), paint.faint(&legend))
}

fn axis(n: Option<&f64>) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
    let n = n.map_or(0, |n| n.round().clamp(0.0, 9e15) as i64);
    number::grouped(n)
}

/// Returns the columns at their places; those of sizes that no operation met are empty.
fn columns(curve: &Curve<'_>, most: usize) -> Vec<Option<Column>> {
    let len = curve.duration_ns.len().min(curve.n.len());
    let Some(n) = curve.n.get(..len).filter(|n| !n.is_empty()) else {
        return Vec::new();
    };
    let (first, last) = (n[0], n[len - 1]);
    let span = last - first;
    let count = if is_even(n) { most.min(len) } else { most };
    let mut parts: Vec<Vec<u64>> = vec![Vec::new(); count];
    for (at, (n, ns)) in n.iter().zip(curve.duration_ns).enumerate() {
        let column = match span > 0.0 {
            true => place((n - first) / span, count),
            false => at * count / len,
        };
        if let Some(part) = parts.get_mut(column.min(count - 1)) {
            part.push(*ns);
        }
    }
    parts.into_iter().map(column).collect()
}

/// Where the law is in a column.
#[derive(Debug, Clone, Copy)]
struct LawAt {
    /// The line of the plot that it lies on; `None` where it is not on the plot.
    line: Option<usize>,
    /// The lines of the least and the most that it allows; the most may be beyond the plot.
    band: (usize, usize),
}

impl LawAt {
    /// Returns its mark on `line`.
    fn mark(&self, line: usize) -> char {
        match self.line {
            Some(own) if own == line => '-',
            _ if (self.band.0..=self.band.1).contains(&line) => '░',
            _ => ' ',
        }
    }

    fn has_band(&self) -> bool {
        self.band.0 < self.band.1
    }
}

/// Returns where the law lies in each of `count` columns.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a column's place, and a cost that is above 0"
)]
fn law_lines(curve: &Curve<'_>, fit: Option<&Fit>, count: usize, top: u64) -> Vec<LawAt> {
    let (first, last) = (curve.n.first().copied(), curve.n.last().copied());
    let at = |column: usize| {
        let (first, last) = (first?, last?);
        let n = first + (last - first) * (column as f64 + 0.5) / count as f64;
        let point = fit?.at(n)?;
        let [ns, least, most] =
            [point.ns, point.range_ns.0, point.range_ns.1].map(|ns| ns.max(0.0) as u64);
        Some(LawAt {
            line: (ns <= top).then(|| height(ns, top)),
            band: match least <= top {
                true => (height(least, top), height(most.min(top), top)),
                false => (HEIGHT, 0),
            },
        })
    };
    let nowhere = LawAt {
        line: None,
        band: (HEIGHT, 0),
    };
    (0..count)
        .map(|column| at(column).unwrap_or(nowhere))
        .collect()
}

/// Returns the column, of `count`, of what lies at this share of the axis.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of a few columns"
)]
fn place(share: f64, count: usize) -> usize {
    (share.clamp(0.0, 1.0) * count as f64) as usize
}

/// Returns whether sizes follow each other at about the same distance.
fn is_even(n: &[f64]) -> bool {
    let gaps = || n.windows(2).map(|pair| pair[1] - pair[0]);
    let widest = gaps().fold(0.0, f64::max);
    let usual = gaps().sum::<f64>() / gaps().map(|_| 1.0).sum::<f64>().max(1.0);
    widest <= 2.0 * usual
}

fn column(mut part: Vec<u64>) -> Option<Column> {
    part.sort_unstable();
    let at = |percent: usize| {
        part.get(part.len().checked_sub(1)? * percent / 100)
            .copied()
    };
    Some(Column {
        median: at(50)?,
        most: at(95)?,
        longest: at(100)?,
    })
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
            points: Points::Operations,
        };
        let mut out = Vec::new();
        write_curve(&curve, None, 32, Paint::Plain, &mut out).unwrap();
        let expected = "\
399 µs ┤^                 ••
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
    fn a_straight_line_over_doubled_sizes_looks_straight() {
        let n: Vec<f64> = (0..=6).map(|power| f64::from(1_u32 << power)).collect();
        let duration_ns: Vec<u64> = (0..=6).map(|power| 1_000 << power).collect();
        let curve = Curve {
            n: &n,
            duration_ns: &duration_ns,
            things: "n",
            points: Points::Operations,
        };
        let mut out = Vec::new();
        write_curve(&curve, None, 42, Paint::Plain, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("n = 64"), "{text}");
        let places = text.lines().enumerate().flat_map(|(line, text)| {
            let marks = text.chars().enumerate().filter(|(_, c)| *c == '•');
            marks.map(move |(at, _)| (at, line)).collect::<Vec<_>>()
        });
        let places: Vec<(usize, usize)> = places.filter(|(_, line)| *line < HEIGHT).collect();
        let of = |line: usize| {
            places
                .iter()
                .filter(|place| place.1 == line)
                .map(|place| place.0)
                .max()
        };
        // Half of the size is half of the way across and half of the way up.
        let (whole, half) = (
            of(0).expect("the last"),
            of(5).or(of(4)).expect("the one before"),
        );
        let left = text
            .lines()
            .next()
            .and_then(|line| line.chars().position(|c| c == '┤'))
            .expect("an axis");
        assert!((whole - left).abs_diff(2 * (half - left)) <= 2, "{text}");
    }

    #[test]
    fn the_law_is_drawn_where_nothing_else_is() {
        let n: Vec<f64> = (1..=400).map(f64::from).collect();
        let curve = Curve {
            n: &n,
            duration_ns: &[1_000; 400],
            things: "files",
            points: Points::Operations,
        };
        let point = |n: f64| crate::fit::FitPoint {
            n,
            ns: n * 2.5,
            range_ns: (n * 1.5, n * 2.5),
        };
        let fit = Fit {
            label: String::new(),
            points: vec![point(1.0), point(400.0)],
        };
        let mut out = Vec::new();
        write_curve(&curve, Some(&fit), 32, Paint::Plain, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let law: Vec<usize> = text
            .lines()
            .take(HEIGHT)
            .map(|line| line.matches('-').count())
            .collect();
        assert!(
            law.iter().skip(1).all(|marks| *marks > 0),
            "it falls to the left: {text}"
        );
        assert!(text.contains("- the law  ░ its range"), "{text}");
        // Below the law, as far down as the least that it allows.
        let last: Vec<char> = text
            .lines()
            .take(HEIGHT)
            .filter_map(|line| line.chars().nth(26))
            .collect();
        let band = last.iter().filter(|mark| **mark == '░').count();
        assert_eq!(band, 3, "{text}");
    }

    #[test]
    fn the_ends_of_a_short_axis_stay_two_numbers() {
        let curve = Curve {
            n: &[1.0, 2.0, 3.0],
            duration_ns: &[1_000, 2_000, 3_000],
            things: "runs",
            points: Points::Operations,
        };
        let mut out = Vec::new();
        write_curve(&curve, None, 80, Paint::Plain, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains(" 1  3 runs"), "{text}");
    }

    #[test]
    fn nothing_shows_nothing() {
        let mut out = Vec::new();
        let curve = Curve {
            n: &[],
            duration_ns: &[],
            things: "files",
            points: Points::Operations,
        };
        write_curve(&curve, None, 80, Paint::Plain, &mut out).unwrap();
        assert_eq!(out, []);
    }
}
