//! An HTML page that holds every operation and needs nothing else: no network, no other file.
//!
//! Durations travel in whole nanoseconds, seven bits per byte, in base64: mostly four characters each.
//! They are drawn straight into the pixels of a canvas, so that half a million stay fluid while one
//! zooms and moves; `benches/page.sh` measures that.

use std::io::{self, Write};

use whyslow_model::json::quoted;
use whyslow_results::ResultTable;

use crate::curve::{Curve, Points};
use crate::escape::escape;
use crate::fit::Fit;
use crate::heat_map::{HeatMap, write_inline};
use crate::page_table::write_table;
use crate::picture::{Labels, Level, Mark, escape_html};

/// One chart of the page and what is said about it.
#[derive(Debug, Clone)]
pub struct Chapter<'a> {
    /// The heading.
    pub title: String,
    /// Sentences.
    pub said: Vec<String>,
    /// The operations.
    pub curve: Curve<'a>,
    /// The worker of each operation; empty where there was only one.
    pub workers: Vec<u32>,
    /// Where the cost changes, and what many operations cost.
    pub labels: Labels,
    /// The law that was found, if it has a curve.
    pub fit: Option<Fit>,
}

/// What a page holds, from top to bottom.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The heading.
    pub title: &'a str,
    /// When, where and by what it was measured.
    pub made: &'a str,
    /// Sentences about all of it.
    pub notes: &'a [String],
    /// The charts' figures side by side.
    pub table: &'a ResultTable,
    /// What depends on two sizes or names.
    pub maps: &'a [HeatMap],
    /// The charts.
    pub chapters: &'a [Chapter<'a>],
}

/// The page's script.
const SCRIPT: &str = include_str!("page.js");

/// The hash by which a browser knows [`SCRIPT`]; it runs no other.
const SCRIPT_HASH: &str = "sha256-h/WrC8vubL8f3G3bUtY5n64uyWh1OGbqL3D6jp4sZsA=";

/// Styles of the page.
const STYLE: &str = "\
    :root{color-scheme:light dark;--text:#222222;--faint:#757575;--grid:#e4e4e4;--line:#b3400a;--mark:#b3400a;--law:#1a7f37;--band:#6b3fa0;\
    --page:#ffffff;--inks:#5b8fc7 #d9822b #3f9b3f #a154a1 #b8960c #4d4d4d #cd5c5c #1f8a8a}\
    @media(prefers-color-scheme:dark){:root{--text:#e2e2e2;--faint:#9a9a9a;--grid:#333333;--line:#ffb070;\
    --mark:#ffb070;--law:#7ee08f;--band:#c9a8f0;--page:#161616;--inks:#5fa0e0 #d08030 #4fae4f #c078c0 #d0b030 #a8a8a8 #e07878 #40b0b0}}\
    body{font:15px/1.45 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:var(--text);\
    background:var(--page)}h1{font-size:1.4em;overflow-wrap:anywhere}h2{font-size:1.15em;margin-top:1.6em}\
    canvas{width:100%;height:380px;display:block;margin-top:.6em;cursor:crosshair;touch-action:pan-y}\
    .wide{overflow-x:auto}table{border-collapse:collapse;margin:1em 0;font-size:13px;font-variant-numeric:tabular-nums}\
    th,td{padding:.2em .45em;text-align:left;border-bottom:1px solid var(--grid)}\
    th{font-weight:600;vertical-align:bottom}th.n,td.n{text-align:right}td.n{white-space:nowrap}p{margin:.4em 0}.at,.legend{color:var(--faint);min-height:1.45em}button{margin-right:.5em}";

/// Writes `page`.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_page(page: &Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let title = escape_html(page.title);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\
         <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    )?;
    writeln!(out, "<p class=\"at\">{}</p>", escape_html(page.made))?;
    for note in page.notes {
        writeln!(out, "<p>{}</p>", escape_html(note))?;
    }
    for map in page.maps {
        out.write_all(b"<div class=\"wide\">")?;
        write_inline(map, out)?;
        out.write_all(b"</div>\n")?;
    }
    write_table(page.table, out)?;
    for chapter in page.chapters {
        writeln!(out, "<section><h2>{}</h2>", escape_html(&chapter.title))?;
        for sentence in &chapter.said {
            writeln!(out, "<p>{}</p>", escape_html(sentence))?;
        }
        write_chart(chapter, out)?;
    }
    writeln!(out, "<script>{SCRIPT}</script></body></html>")
}

fn write_chart(chapter: &Chapter<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (n, things) = (chapter.curve.n, escape_html(chapter.curve.things));
    write!(out, "<div class=\"chart\" data-things=\"{things}\" ")?;
    if chapter.curve.points == Points::Slow {
        write!(out, "data-slow=\"1\" ")?;
    }
    let by_one = |pair: &[f64]| matches!(pair, [a, b] if (b - a - 1.0).abs() < 1e-9);
    match n.first() {
        Some(first) if n.windows(2).all(by_one) => write!(out, "data-from=\"{first}\"")?,
        _ => {
            let floats = n.iter().flat_map(|&n| narrow(n).to_le_bytes());
            write!(out, "data-n=\"{}\"", base64(floats))?;
        }
    }
    if !chapter.workers.is_empty() {
        let workers = chapter.workers.iter().map(|&worker| worker.into());
        write!(
            out,
            " data-workers=\"{}\"",
            base64(workers.flat_map(sevens))
        )?;
    }
    let Labels { marks, levels } = &chapter.labels;
    let marks = marks
        .iter()
        .map(|Mark { n, text }| ("n", *n, text.as_str()));
    write_labels(out, "marks", marks)?;
    let levels = levels
        .iter()
        .map(|Level { ns, text }| ("ns", ns.round(), text.as_str()));
    write_labels(out, "levels", levels)?;
    if let Some(fit) = &chapter.fit {
        let points = fit.points.iter().map(|point| {
            let (low, high) = point.range_ns;
            format!("[{},{:.0},{low:.0},{high:.0}]", point.n, point.ns)
        });
        let points: Vec<String> = points.collect();
        let label = quoted(&escape(&fit.label));
        let json = format!("{{\"label\":{label},\"points\":[{}]}}", points.join(","));
        write!(out, " data-law=\"{}\"", escape_html(&json))?;
    }
    let durations = chapter.curve.duration_ns.iter().copied();
    let durations = base64(durations.flat_map(sevens));
    writeln!(out, " data-ns=\"{durations}\"></div></section>")
}

/// Writes places and their labels as an attribute, if there are some.
fn write_labels<'a>(
    out: &mut dyn Write,
    name: &str,
    labels: impl Iterator<Item = (&'a str, f64, &'a str)>,
) -> io::Result<()> {
    let labels = labels.map(|(key, place, text)| {
        format!("{{\"{key}\":{place},\"text\":{}}}", quoted(&escape(text)))
    });
    let labels: Vec<String> = labels.collect();
    match labels.as_slice() {
        [] => Ok(()),
        labels => {
            let json = format!("[{}]", labels.join(","));
            write!(out, " data-{name}=\"{}\"", escape_html(&json))
        }
    }
}

/// Returns a number as groups of seven bits, the low ones first; the high bit says that more follow.
fn sevens(value: u64) -> impl Iterator<Item = u8> {
    let mut rest = Some(value);
    std::iter::from_fn(move || {
        let value = rest?;
        let low = u8::try_from(value & 127).unwrap_or(0);
        let more = value >> 7;
        rest = (more > 0).then_some(more);
        Some(low | if more > 0 { 128 } else { 0 })
    })
}

/// Returns bytes in base64.
fn base64(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            text.push(if digit > three.len() {
                '='
            } else {
                digit_of(bits >> (18 - 6 * digit))
            });
        }
    }
    text
}

fn digit_of(bits: u32) -> char {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let at = usize::try_from(bits & 63).unwrap_or(0);
    DIGITS.get(at).map_or('A', |&digit| char::from(digit))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "24 bits are more than a screen shows"
)]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use whyslow_results::{Kind, ResultColumn, Value};

    use super::*;
    use crate::fit::FitPoint;

    const COLUMNS: [ResultColumn; 3] = [
        ResultColumn::new("on", "on", "On", Kind::Text, "Where"),
        ResultColumn::new("median", "median_ns", "Median", Kind::Duration, "Half"),
        ResultColumn::new("nothing", "nothing", "Nothing", Kind::Count, "Never"),
    ];

    #[test]
    fn numbers_travel_in_base64() {
        // The test vectors of RFC 4648.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.bytes()), text);
        }
        let coded = |value: u64| sevens(value).collect::<Vec<u8>>();
        assert_eq!(coded(0), [0]);
        assert_eq!(coded(127), [127]);
        assert_eq!(coded(128), [128, 1]);
        assert_eq!(coded(u64::MAX).len(), 10);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_browser_knows_the_script_by_its_hash() {
        use std::process::{Command, Stdio};
        let mut hashing = Command::new("sha256sum");
        hashing.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut hashing = hashing.spawn().expect("coreutils are there");
        let mut input = hashing.stdin.take().expect("a pipe");
        input.write_all(SCRIPT.as_bytes()).expect("taken");
        drop(input);
        let said = hashing.wait_with_output().expect("it ends").stdout;
        let hex = str::from_utf8(said.get(..64).expect("a hash")).expect("text");
        let byte = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hex");
        let hash = format!("sha256-{}", base64((0..32).map(byte)));
        assert_eq!(SCRIPT_HASH, hash);
    }

    #[test]
    fn text_that_acts_is_spelled_out() {
        let page = Page {
            title: "a\u{202e}b",
            made: "",
            notes: &["x\u{2066}y".to_owned()],
            table: &ResultTable::new("lab", "the lab", &COLUMNS),
            maps: &[],
            chapters: &[],
        };
        let mut out = Vec::new();
        write_page(&page, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains(['\u{202e}', '\u{2066}']), "{text}");
        assert!(text.contains("a\\u{202e}b"), "{text}");
        assert!(text.contains("default-src 'none'"), "{text}");
    }

    #[test]
    fn the_page_holds_every_operation_and_no_foreign_markup() {
        let (n, duration_ns) = ([1.0, 2.5], [5_000, 6_000]);
        let chapter = Chapter {
            title: "</section><script>".to_owned(),
            said: vec!["5 < 6".to_owned()],
            curve: Curve {
                n: &n,
                duration_ns: &duration_ns,
                things: "fi\"les",
                points: Points::Operations,
            },
            workers: vec![0, 1],
            labels: Labels {
                marks: vec![Mark {
                    n: 2.0,
                    text: "1 ms → \"2 ms\"".to_owned(),
                }],
                levels: vec![Level {
                    ns: 5_000.4,
                    text: "90 %: <5 µs".to_owned(),
                }],
            },
            fit: Some(Fit {
                label: "\"linear\"".to_owned(),
                points: vec![FitPoint {
                    n: 1.0,
                    ns: 5_000.4,
                    range_ns: (4_000.0, 6_000.0),
                }],
            }),
        };
        let mut out = Vec::new();
        let mut table = ResultTable::new("lab", "the lab", &COLUMNS);
        table
            .rows
            .push(vec!["<b>".into(), Value::Int(5_000), Value::Null]);
        let page = Page {
            title: "lab",
            made: "here & now",
            notes: &["5 > 4".to_owned()],
            table: &table,
            maps: &[HeatMap::default()],
            chapters: &[chapter],
        };
        write_page(&page, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("<script>").count(), 1);
        assert!(
            text.contains("5 &lt; 6") && text.contains("fi&quot;les"),
            "{text}"
        );
        assert!(text.contains("<p>5 &gt; 4</p>"), "{text}");
        assert!(text.contains("here &amp; now"), "{text}");
        let row = "<tr><td>&lt;b&gt;</td><td class=\"n\">5.00 µs</td></tr>";
        assert!(text.contains(row), "{text}");
        assert!(!text.contains("Nothing"), "an empty column: {text}");
        assert!(text.contains("data-n=\"AACAPwAAIEA=\""), "{text}");
        assert!(text.contains("data-workers=\"AAE=\""), "{text}");
        assert!(text.contains("data-ns=\"iCfwLg==\""), "{text}");
        let marks = "data-marks=\"[{&quot;n&quot;:2,&quot;text&quot;:&quot;1 ms → \\&quot;2 ms\\&quot;&quot;}]\"";
        assert!(text.contains(marks), "{text}");
        let levels =
            "data-levels=\"[{&quot;ns&quot;:5000,&quot;text&quot;:&quot;90 %: &lt;5 µs&quot;}]\"";
        assert!(text.contains(levels), "{text}");
        let law = "data-law=\"{&quot;label&quot;:&quot;\\&quot;linear\\&quot;&quot;,&quot;points&quot;:[[1,5000,4000,6000]]}\"";
        assert!(text.contains(law), "{text}");
        assert!(
            !text.contains("http:") && !text.contains("https"),
            "no network"
        );
    }
}
