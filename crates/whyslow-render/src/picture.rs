//! Costs over *n* as SVG: the band in which nine of ten operations lie, the median, and the longest
//! operation of every column as a dot, so that no outlier is lost. The colors follow the reader's scheme.

use std::io::{self, Write};

use crate::curve::{Curve, Points};
use crate::escape::escape;
use crate::fit::{Fit, FitPoint};
use crate::number;

/// A place on the axis of sizes, and its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The size.
    pub n: f64,
    /// A few words.
    pub text: String,
}

/// A cost that many operations have, and its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The cost in nanoseconds.
    pub ns: f64,
    /// A few words.
    pub text: String,
}

/// What stands beside the curve of a picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels {
    /// Where the cost changes, the smallest size first.
    pub marks: Vec<Mark>,
    /// Costs that many operations have.
    pub levels: Vec<Level>,
}

/// Size of the picture.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 350.0;

/// Room for the labels: left, right, top, bottom.
const MARGIN: [f64; 4] = [70.0, 20.0, 50.0, 54.0];

/// Columns of the picture; each represents equally many neighboring operations.
const COLUMNS: usize = 240;

/// About how many sizes are written on their axis.
const SIZES: f64 = 6.0;

/// Labels that are tried at most.
const MOST_SIZES: u32 = 20;

/// Width of a letter, as a share of its height, with room to spare.
const LETTER: f64 = 0.58;

/// What the marks mean, where there are many operations.
const LEGEND: &str =
    "line: median; thin line: p95; band: 90 of 100; dots: the longest of each column";

/// What the marks mean where each operation has one.
const FEW_LEGEND: &str = "dots: every operation, joined by a line";

/// The same where the dots are the slow operations alone.
const SLOW_LEGEND: &str = "each dot: p99, what 99 of 100 operations took at most";

/// With fewer columns than this, dots are larger.
const FEW: f64 = 120.0;

/// Colors of the two schemes.
const STYLE: &str = "text{fill:#222}.page{fill:#fff}.less{fill:#666}.grid{stroke:#ddd}.band{fill:#9ecae1}\
    .dot{fill:#888}.few{fill:#08519c}.high{fill:none;stroke:#08519c;stroke-width:.8;opacity:.7}\
    .law{fill:none;stroke:#1a7f37;stroke-width:1.6;stroke-dasharray:7 4}.lawband{fill:#1a7f37;opacity:.16}.lawsaid{fill:#1a7f37}.line{fill:none;stroke:#08519c;stroke-width:1.8}.mark{stroke:#b3400a;stroke-dasharray:5 4}\
    .said{fill:#b3400a}.level{stroke:#6b3fa0;stroke-dasharray:1 4;opacity:.8}\
    .level-said{fill:#6b3fa0;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8}@media(prefers-color-scheme:dark){text{fill:#e2e2e2}.page{fill:#161616}.less{fill:#9a9a9a}\
    .grid{stroke:#333}.band{fill:#274b6d}.line{stroke:#8cc4ff}.few{fill:#8cc4ff}.high{stroke:#8cc4ff}.law{stroke:#7ee08f}.lawband{fill:#7ee08f}.lawsaid{fill:#7ee08f}.mark{stroke:#ffb070}.said{fill:#ffb070}.level{stroke:#c9a8f0}.level-said{fill:#c9a8f0;stroke:#161616}}";

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
pub fn write_picture(
    curve: &Curve<'_>,
    title: &str,
    labels: &Labels,
    fit: Option<&Fit>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = columns(curve);
    let few = columns.len() == curve.duration_ns.len();
    let legend = match curve.points {
        Points::Slow => SLOW_LEGEND,
        Points::Operations if few => FEW_LEGEND,
        Points::Operations => LEGEND,
    };
    let room = WIDTH - MARGIN[0] - MARGIN[1];
    let size = (room / width(title, 1.0).max(1.0)).clamp(7.0, 14.0);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{0}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text x=\"{1}\" y=\"20\" font-size=\"{size:.1}\">{0}</text>\n\
         <text class=\"less\" x=\"{1}\" y=\"{2}\" font-size=\"11\">{legend}</text>",
        escape_html(title),
        MARGIN[0],
        HEIGHT - 10.0
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
    if !few {
        let band = scale.points(upper.chain(lower));
        writeln!(out, "<polygon class=\"band\" points=\"{band}\"/>")?;
    }
    let class = if few { "few" } else { "dot" };
    // The fewer there are, the larger each is.
    let radius =
        (1.3 + 2.7 * (1.0 - real(u64::try_from(columns.len()).unwrap_or(0)) / FEW)).max(1.3);
    for column in &columns {
        let (x, y) = scale.at(column.n, column.longest);
        writeln!(
            out,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        )?;
    }
    if !few {
        let high = scale.points(columns.iter().map(|column| (column.n, column.high)));
        writeln!(out, "<polyline class=\"high\" points=\"{high}\"/>")?;
    }
    let median = scale.points(columns.iter().map(|column| (column.n, column.median)));
    writeln!(out, "<polyline class=\"line\" points=\"{median}\"/>")?;
    if let Some(fit) = fit {
        law(&scale, fit, out)?;
    }
    say(&scale, &labels.marks, out)?;
    levels(&scale, &labels.levels, out)?;
    writeln!(out, "</svg>")
}

/// Writes the curve of a law and its band, and what it says.
fn law(scale: &Scale, fit: &Fit, out: &mut dyn Write) -> io::Result<()> {
    let inside = |point: &&FitPoint| (scale.first..=scale.last).contains(&point.n);
    let points: Vec<&FitPoint> = fit.points.iter().filter(inside).collect();
    let ns = |value: f64| whole(value).unsigned_abs();
    let upper = points.iter().map(|point| (point.n, ns(point.range_ns.1)));
    let lower = points
        .iter()
        .rev()
        .map(|point| (point.n, ns(point.range_ns.0)));
    let band = scale.points(upper.chain(lower));
    let line = scale.points(points.iter().map(|point| (point.n, ns(point.ns))));
    writeln!(out, "<polygon class=\"lawband\" points=\"{band}\"/>")?;
    writeln!(out, "<polyline class=\"law\" points=\"{line}\"/>")?;
    let text = format!("dashed: {}", fit.label);
    writeln!(
        out,
        "<text class=\"lawsaid\" x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"end\">{}</text>",
        WIDTH - MARGIN[1],
        HEIGHT - 10.0,
        escape_html(&text)
    )
}

/// Writes the labels of single places, as far as there is room.
fn say(scale: &Scale, marks: &[Mark], out: &mut dyn Write) -> io::Result<()> {
    let right = WIDTH - MARGIN[1];
    let mut free = MARGIN[0];
    for mark in marks {
        let (x, _) = scale.at(mark.n, 1);
        if !(MARGIN[0]..=right).contains(&x) {
            continue;
        }
        let (top, bottom) = (MARGIN[2], HEIGHT - MARGIN[3]);
        writeln!(out, "<path class=\"mark\" d=\"M{x:.1} {top}V{bottom}\"/>")?;
        let wide = width(&mark.text, 12.0);
        let start = (x - wide / 2.0).min(right - wide).max(free);
        if start + wide > right + 1.0 {
            continue;
        }
        free = start + wide + 10.0;
        let text = escape_html(&mark.text);
        writeln!(
            out,
            "<text class=\"said\" x=\"{start:.1}\" y=\"{}\">{text}</text>",
            top - 8.0
        )?;
    }
    Ok(())
}

/// Writes the labels of levels at the right end of theirs, as far as they do not cover each other.
fn levels(scale: &Scale, levels: &[Level], out: &mut dyn Write) -> io::Result<()> {
    let right = WIDTH - MARGIN[1];
    let mut taken: Vec<f64> = Vec::new();
    for level in levels {
        let (_, y) = scale.at(scale.last, whole(level.ns).unsigned_abs());
        writeln!(
            out,
            "<path class=\"level\" d=\"M{} {y:.1}H{right}\"/>",
            MARGIN[0]
        )?;
        // Above its line, or below it where that is taken or outside.
        let free = |base: &f64| {
            *base > MARGIN[2] + 10.0 && taken.iter().all(|other| (other - base).abs() >= 12.0)
        };
        let Some(base) = [y - 4.0, y + 13.0].into_iter().find(free) else {
            continue;
        };
        taken.push(base);
        writeln!(
            out,
            "<text class=\"level-said\" x=\"{}\" y=\"{base:.1}\" font-size=\"11\" text-anchor=\"end\">{}</text>",
            right - 4.0,
            escape_html(&level.text)
        )?;
    }
    Ok(())
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
        let (right, label) = (WIDTH - MARGIN[1], number::brief_duration(ns));
        writeln!(
            out,
            "<path class=\"grid\" d=\"M{0} {y:.1}H{right}\"/>\n\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{label}</text>",
            MARGIN[0],
            MARGIN[0] - 6.0,
            y + 4.0
        )?;
        power += 1.0;
    }
    sizes(scale, things, out)
}

/// Writes round sizes below their axis, and what they count.
fn sizes(scale: &Scale, things: &str, out: &mut dyn Write) -> io::Result<()> {
    let bottom = HEIGHT - MARGIN[3] + 18.0;
    let right = WIDTH - MARGIN[1];
    let name = escape_html(things);
    writeln!(
        out,
        "<text x=\"{right}\" y=\"{bottom}\" text-anchor=\"end\">{name}</text>"
    )?;
    let end = right - width(things, 12.0) - 8.0;
    let span = scale.last - scale.first;
    let power = 10f64.powf((span / SIZES).log10().floor()).max(1.0);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| span / step <= SIZES);
    let step = step.unwrap_or(10.0 * power);
    let mut free = 0.0;
    let first = (scale.first / step).ceil();
    // Counted, for beyond 2⁵³ a step may add nothing.
    let labels = (0..=MOST_SIZES).map(|label| (first + f64::from(label)) * step);
    for n in labels.take_while(|n| *n <= scale.last) {
        let label = number::grouped(whole(n));
        let half = width(&label, 12.0) / 2.0;
        let (x, _) = scale.at(n, 1);
        if x - half >= free && x + half <= end {
            free = x + half + 8.0;
            writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{bottom}\" text-anchor=\"middle\">{label}</text>"
            )?;
        }
    }
    Ok(())
}

/// Returns about how wide a text of a size is.
fn width(text: &str, size: f64) -> f64 {
    let letters = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    real(letters) * size * LETTER
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

/// Returns `text` for a document: neither markup, nor characters that act instead of showing.
pub(crate) fn escape_html(text: &str) -> String {
    let mut safe = String::new();
    for c in escape(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
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
            points: Points::Operations,
        };
        let mut out = Vec::new();
        let mark = |n, text: &str| Mark {
            n,
            text: text.to_owned(),
        };
        let level = |ns, text: &str| Level {
            ns,
            text: text.to_owned(),
        };
        let labels = Labels {
            marks: vec![
                mark(400.0, "<here>"),
                mark(401.0, "there"),
                mark(2e9, "out"),
            ],
            levels: vec![
                level(10_000.0, "99 %: <10 µs"),
                level(10_100.0, "below"),
                level(10_200.0, "no room"),
            ],
        };
        write_picture(&curve, "create <&> \x1b", &labels, None, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("<title>create &lt;&amp;&gt; \\x1b</title>"),
            "{text}"
        );
        assert_eq!(text.matches("<circle").count(), COLUMNS);
        assert_eq!(text.matches("<path class=\"mark\"").count(), 2);
        assert!(text.contains(">&lt;here&gt;</text>") && text.contains(">there</text>"));
        assert_eq!(text.matches("<path class=\"level\"").count(), 3);
        assert!(text.contains(">99 %: &lt;10 µs</text>") && text.contains(">below</text>"));
        assert!(
            !text.contains("no room"),
            "labels do not cover each other: {text}"
        );
        for label in ["200", "400", "600", "800"] {
            assert!(
                text.contains(&format!(">{label}</text>")),
                "{label}: {text}"
            );
        }
        // 9 ms lies at log 6.95 of 4 to 7: near the top.
        let top = format!(
            "cy=\"{:.1}\"",
            HEIGHT - 54.0 - (6.954_24 - 4.0) / 3.0 * (HEIGHT - 104.0)
        );
        assert_eq!(text.matches(&top).count(), 1, "{top}");
        assert!(text.trim_end().ends_with("</svg>"));
        let empty = Curve {
            n: &[],
            duration_ns: &[],
            things: "files",
            points: Points::Operations,
        };
        write_picture(&empty, "nothing", &Labels::default(), None, &mut Vec::new()).unwrap();
    }

    #[test]
    fn few_operations_are_large_dots_and_a_law_has_its_band() {
        let curve = Curve {
            n: &[1.0, 2.0, 4.0, 8.0],
            duration_ns: &[1_000, 2_000, 4_000, 8_000],
            things: "files",
            points: Points::Operations,
        };
        let point = |n: f64| FitPoint {
            n,
            ns: n * 1_000.0,
            range_ns: (n * 500.0, n * 2_000.0),
        };
        let fit = Fit {
            label: "linear <p 1>".to_owned(),
            points: [1.0, 4.0, 8.0, 80.0].map(point).into(),
        };
        let mut out = Vec::new();
        write_picture(&curve, "few", &Labels::default(), Some(&fit), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("<circle class=\"few\"").count(), 4);
        assert!(text.contains("r=\"3.9\""), "{text}");
        assert!(
            text.contains(">dashed: linear &lt;p 1&gt;</text>"),
            "{text}"
        );
        // The law goes through the operations, and its band has both edges; what lies beyond is left out.
        let of = |class: &str| {
            let from = text
                .find(&format!("class=\"{class}\" points=\""))
                .expect("drawn");
            let rest = &text[from..];
            let points = rest.split('"').nth(3).expect("points");
            points.split(' ').map(str::to_owned).collect::<Vec<_>>()
        };
        let (line, law) = (of("line"), of("law"));
        assert_eq!((law.len(), of("lawband").len()), (3, 6));
        assert_eq!((&law[0], &law[1], &law[2]), (&line[0], &line[2], &line[3]));
    }
}
