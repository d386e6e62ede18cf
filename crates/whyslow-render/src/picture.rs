//! Costs over *n* as SVG: the band in which nine of ten operations lie, the median, and the longest
//! operation of every column as a dot, so that no outlier is lost.

use std::io::{self, Write};

use crate::curve::Curve;
use crate::number;

/// Size of the picture.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 320.0;

/// Room for the labels: left, right, top, bottom.
const MARGIN: [f64; 4] = [70.0, 20.0, 34.0, 40.0];

/// Columns of the picture; each stands for equally many neighboring operations.
const COLUMNS: usize = 240;

/// What the marks stand for.
const LEGEND: &str = "line: median; band: 90 of 100; dots: the longest of each column";

/// One column.
struct Column {
    n: f64,
    low: u64,
    median: u64,
    high: u64,
    longest: u64,
}

/// Writes `curve`, called `title`, as an SVG document. The scale is logarithmic: costs span powers of
/// ten.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_picture(curve: &Curve<'_>, title: &str, out: &mut dyn Write) -> io::Result<()> {
    let columns = columns(curve);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{0}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{1}\" y=\"20\" font-size=\"14\">{0}</text>\n\
         <text x=\"{2}\" y=\"20\" font-size=\"11\" text-anchor=\"end\" fill=\"#666\">{LEGEND}</text>",
        escaped(title),
        MARGIN[0],
        WIDTH - MARGIN[1]
    )?;
    let low = columns
        .iter()
        .map(|column| column.low)
        .min()
        .unwrap_or(1)
        .max(1);
    let high = columns
        .iter()
        .map(|column| column.longest)
        .max()
        .unwrap_or(1);
    let scale = Scale {
        low: real(low).log10().floor(),
        high: real(high.max(low * 2)).log10().ceil(),
        first: curve.n.first().copied().unwrap_or(0.0),
        last: curve.n.last().copied().unwrap_or(1.0),
    };
    grid(&scale, curve.things, out)?;
    let upper = columns.iter().map(|column| (column.n, column.high));
    let lower = columns.iter().rev().map(|column| (column.n, column.low));
    let band = scale.points(upper.chain(lower));
    writeln!(out, "<polygon points=\"{band}\" fill=\"#9ecae1\"/>")?;
    for column in &columns {
        let (x, y) = scale.at(column.n, column.longest);
        writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.3\" fill=\"#888\"/>"
        )?;
    }
    let median = scale.points(columns.iter().map(|column| (column.n, column.median)));
    let style = "fill=\"none\" stroke=\"#08519c\" stroke-width=\"1.8\"";
    writeln!(out, "<polyline points=\"{median}\" {style}/>\n</svg>")
}

/// Places of values in the picture.
struct Scale {
    low: f64,
    high: f64,
    first: f64,
    last: f64,
}

impl Scale {
    fn at(&self, n: f64, ns: u64) -> (f64, f64) {
        let across = (n - self.first) / (self.last - self.first).max(f64::MIN_POSITIVE);
        let up = (real(ns.max(1)).log10() - self.low) / (self.high - self.low);
        let x = MARGIN[0] + across * (WIDTH - MARGIN[0] - MARGIN[1]);
        let y = HEIGHT - MARGIN[3] - up * (HEIGHT - MARGIN[2] - MARGIN[3]);
        (x, y.clamp(MARGIN[2], HEIGHT - MARGIN[3]))
    }

    fn points(&self, values: impl Iterator<Item = (f64, u64)>) -> String {
        let points = values.map(|(n, ns)| {
            let (x, y) = self.at(n, ns);
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<_>>().join(" ")
    }
}

fn grid(scale: &Scale, things: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut power = scale.low;
    while power <= scale.high + 0.5 {
        let ns = whole(10f64.powf(power));
        let (_, y) = scale.at(scale.first, ns.unsigned_abs());
        let (right, label) = (WIDTH - MARGIN[1], number::duration(ns));
        writeln!(
            out,
            "<path d=\"M{0} {y:.1}H{right}\" stroke=\"#ddd\"/>\n\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{label}</text>",
            MARGIN[0],
            MARGIN[0] - 6.0,
            y + 4.0
        )?;
        power += 1.0;
    }
    let bottom = HEIGHT - MARGIN[3] + 18.0;
    for (x, anchor, n) in [
        (MARGIN[0], "start", scale.first),
        (WIDTH - MARGIN[1], "end", scale.last),
    ] {
        let label = number::grouped(whole(n));
        let things = escaped(if anchor == "end" { things } else { "" });
        writeln!(
            out,
            "<text x=\"{x}\" y=\"{bottom}\" text-anchor=\"{anchor}\">{label} {things}</text>"
        )?;
    }
    Ok(())
}

fn columns(curve: &Curve<'_>) -> Vec<Column> {
    let len = curve.duration_ns.len().min(curve.n.len());
    let count = COLUMNS.min(len);
    let edge = |column: usize| column * len / count;
    (0..count)
        .map(|column| {
            let range = edge(column)..edge(column + 1);
            let n = curve.n.get(range.start + range.len() / 2).copied();
            let mut part = curve.duration_ns[range].to_vec();
            part.sort_unstable();
            let at = |percent: usize| part.get((part.len() - 1) * percent / 100).copied();
            Column {
                n: n.unwrap_or(0.0),
                low: at(5).unwrap_or(0),
                median: at(50).unwrap_or(0),
                high: at(95).unwrap_or(0),
                longest: at(100).unwrap_or(0),
            }
        })
        .collect()
}

/// Returns `text` as it may stand in a document.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[expect(clippy::cast_precision_loss, reason = "a picture has fewer digits")]
fn real(ns: u64) -> f64 {
    ns as f64
}

#[expect(clippy::cast_possible_truncation, reason = "the range is clamped")]
fn whole(value: f64) -> i64 {
    value.round().clamp(-9e15, 9e15) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_well_formed_and_keeps_the_outlier() {
        let n: Vec<f64> = (1..=1_000).map(f64::from).collect();
        let mut duration_ns = vec![10_000; 1_000];
        duration_ns[500] = 9_000_000;
        let curve = Curve {
            n: &n,
            duration_ns: &duration_ns,
            things: "files",
        };
        let mut out = Vec::new();
        write_picture(&curve, "create <&> \x1b", &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("<title>create &lt;&amp;&gt; \u{fffd}</title>"),
            "{text}"
        );
        assert_eq!(text.matches("<circle").count(), COLUMNS);
        // 9 ms lies at log 6.95 of 4 to 7: near the top.
        let top = format!(
            "cy=\"{:.1}\"",
            HEIGHT - 40.0 - (6.954_24 - 4.0) / 3.0 * (HEIGHT - 74.0)
        );
        assert_eq!(text.matches(&top).count(), 1, "{top}");
        assert!(text.trim_end().ends_with("</svg>"));
        let empty = Curve {
            n: &[],
            duration_ns: &[],
            things: "files",
        };
        write_picture(&empty, "nothing", &mut Vec::new()).unwrap();
    }
}
