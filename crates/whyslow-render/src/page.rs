//! An HTML page that holds every operation and needs nothing else: no network, no other file.
//!
//! The points travel as little-endian 32-bit floats in base64 and are drawn straight into the pixels
//! of a canvas, so that half a million stay fluid while one zooms and moves.

use std::io::{self, Write};

use crate::curve::Curve;
use crate::picture::escaped;

/// One chart of the page and what is said about it.
#[derive(Debug, Clone)]
pub struct Chapter<'a> {
    /// The heading.
    pub title: String,
    /// Sentences.
    pub said: Vec<String>,
    /// The operations.
    pub curve: Curve<'a>,
}

/// The page's script.
const SCRIPT: &str = include_str!("page.js");

/// Styles of the page.
const STYLE: &str = "body{font:15px sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;\
    color:#222;background:#fff}canvas{width:100%;height:360px;border:1px solid #ccc;display:block;\
    cursor:crosshair}p{margin:.4em 0}.at{color:#555;min-height:1.4em}button{margin-right:.5em}";

/// Writes the page.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_page(title: &str, chapters: &[Chapter<'_>], out: &mut dyn Write) -> io::Result<()> {
    let title = escaped(title);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    )?;
    for chapter in chapters {
        writeln!(out, "<section><h2>{}</h2>", escaped(&chapter.title))?;
        for sentence in &chapter.said {
            writeln!(out, "<p>{}</p>", escaped(sentence))?;
        }
        let things = escaped(chapter.curve.things);
        write!(
            out,
            "<div class=\"chart\" data-things=\"{things}\" data-n=\""
        )?;
        write_floats(chapter.curve.n.iter().map(|&n| narrow(n)), out)?;
        write!(out, "\" data-ns=\"")?;
        let durations = chapter.curve.duration_ns.iter();
        write_floats(durations.map(|&ns| narrow(real(ns))), out)?;
        writeln!(out, "\"></div></section>")?;
    }
    writeln!(out, "<script>\n{SCRIPT}</script></body></html>")
}

/// Writes numbers in base64.
fn write_floats(numbers: impl Iterator<Item = f32>, out: &mut dyn Write) -> io::Result<()> {
    let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
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
    out.write_all(text.as_bytes())
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

#[expect(
    clippy::cast_precision_loss,
    reason = "24 bits are more than a screen shows"
)]
fn real(ns: u64) -> f64 {
    ns as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_travel_in_base64() {
        let coded = |numbers: &[f32]| {
            let mut out = Vec::new();
            write_floats(numbers.iter().copied(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        // The values of RFC 4648 for the bytes of the floats.
        assert_eq!(coded(&[]), "");
        assert_eq!(coded(&[1.0]), "AACAPw==");
        assert_eq!(coded(&[1.0, -2.5]), "AACAPwAAIMA=");
        assert_eq!(coded(&[0.0, 0.0, 0.0]), "AAAAAAAAAAAAAAAA");
    }

    #[test]
    fn the_page_holds_every_operation_and_no_foreign_markup() {
        let (n, duration_ns) = ([1.0, 2.0], [5_000, 6_000]);
        let chapter = Chapter {
            title: "</section><script>".to_owned(),
            said: vec!["5 < 6".to_owned()],
            curve: Curve {
                n: &n,
                duration_ns: &duration_ns,
                things: "fi\"les",
            },
        };
        let mut out = Vec::new();
        write_page("lab", &[chapter], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("<script>").count(), 1);
        assert!(
            text.contains("5 &lt; 6") && text.contains("fi&quot;les"),
            "{text}"
        );
        assert!(text.contains("data-n=\"AACAPwAAAEA=\""), "{text}");
        assert!(!text.contains("http"), "it needs no network");
    }
}
