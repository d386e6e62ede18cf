//! Costs over two dimensions as SVG: the darker a cell, the more it costs. It has no style of its own, so it
//! can be a part of a page.

use std::io::{self, Write};

use crate::picture::escape_html;

/// A value for every pair of a row and a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// What the cells say.
    pub title: String,
    /// What the rows are, and their names.
    pub rows: (String, Vec<String>),
    /// What the columns are, and their names.
    pub columns: (String, Vec<String>),
    /// Row by row, the value of each cell and how it is written; `None` where there is none.
    pub cells: Vec<Vec<Option<(f64, String)>>>,
}

/// Size of a cell.
const CELL: (f64, f64) = (92.0, 34.0);

/// Room at the left and above.
const MARGIN: (f64, f64) = (110.0, 62.0);

/// Values this close to each other have about the same color: noise is not made to look like a difference.
const LEAST_SPAN: f64 = 1.5;

/// The colors of the least and of the most, as red, green and blue.
const COLORS: [[f64; 3]; 2] = [[229.0, 239.0, 249.0], [8.0, 69.0, 148.0]];

/// From this share of the way on, the text of a cell is white.
const DARK: f64 = 0.5;

/// Writes `map` as an SVG document.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_heat_map(map: &HeatMap, out: &mut dyn Write) -> io::Result<()> {
    write_map(map, " xmlns=\"http://www.w3.org/2000/svg\"", out)
}

/// Writes `map` as a part of a page, which needs no namespace.
pub(crate) fn write_inline(map: &HeatMap, out: &mut dyn Write) -> io::Result<()> {
    write_map(map, "", out)
}

fn write_map(map: &HeatMap, namespace: &str, out: &mut dyn Write) -> io::Result<()> {
    let (rows, columns) = (real(map.rows.1.len()), real(map.columns.1.len()));
    let (width, height) = (
        MARGIN.0 + columns * CELL.0 + 10.0,
        MARGIN.1 + rows * CELL.1 + 10.0,
    );
    writeln!(
        out,
        "<svg{namespace} viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    )?;
    let mut text = |x: f64, y: f64, anchor: &str, color: &str, text: &str| {
        writeln!(
            out,
            "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\" fill=\"{color}\">{}</text>",
            escape_html(text)
        )
    };
    text(10.0, 18.0, "start", "#222222", &map.title)?;
    text(
        MARGIN.0 - 8.0,
        MARGIN.1 - 8.0,
        "end",
        "#666666",
        &map.rows.0,
    )?;
    text(
        MARGIN.0 + columns * CELL.0 / 2.0,
        MARGIN.1 - 24.0,
        "middle",
        "#666666",
        &map.columns.0,
    )?;
    for (at, name) in map.columns.1.iter().enumerate() {
        let x = MARGIN.0 + (real(at) + 0.5) * CELL.0;
        text(x, MARGIN.1 - 8.0, "middle", "#222222", name)?;
    }
    for (at, name) in map.rows.1.iter().enumerate() {
        let y = MARGIN.1 + (real(at) + 0.6) * CELL.1;
        text(MARGIN.0 - 8.0, y, "end", "#222222", name)?;
    }
    let scale = Scale::of(map);
    for (row, cells) in map.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (
                MARGIN.0 + real(column) * CELL.0,
                MARGIN.1 + real(row) * CELL.1,
            );
            write_cell(cell.as_ref(), &scale, (x, y), out)?;
        }
    }
    writeln!(out, "</svg>")
}

fn write_cell(
    cell: Option<&(f64, String)>,
    scale: &Scale,
    (x, y): (f64, f64),
    out: &mut dyn Write,
) -> io::Result<()> {
    let (fill, ink, text) = match cell {
        Some((value, text)) => {
            let share = scale.share(*value);
            (
                color(share),
                if share > DARK { "#ffffff" } else { "#222222" },
                text.as_str(),
            )
        }
        None => ("#eeeeee".to_owned(), "#666666", "–"),
    };
    writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"#ffffff\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
        CELL.0,
        CELL.1,
        x + CELL.0 / 2.0,
        y + CELL.1 * 0.6,
        escape_html(text)
    )
}

/// From the least value to the most, by their logarithms.
struct Scale {
    low: f64,
    span: f64,
}

impl Scale {
    fn of(map: &HeatMap) -> Self {
        let values = || {
            map.cells
                .iter()
                .flatten()
                .flatten()
                .map(|(value, _)| value.max(1e-9).ln())
        };
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        Self {
            low,
            span: (high - low).max(LEAST_SPAN.ln()),
        }
    }

    fn share(&self, value: f64) -> f64 {
        ((value.max(1e-9).ln() - self.low) / self.span).clamp(0.0, 1.0)
    }
}

fn color(share: f64) -> String {
    let parts = [0, 1, 2].map(|at| COLORS[0][at] + (COLORS[1][at] - COLORS[0][at]) * share);
    format!("rgb({:.0},{:.0},{:.0})", parts[0], parts[1], parts[2])
}

#[expect(clippy::cast_precision_loss, reason = "a picture has few cells")]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[f64]) -> String {
        let names = |count: usize| (0..count).map(|at| format!("<{at}>")).collect::<Vec<_>>();
        let cell = |value: &f64| (*value > 0.0).then(|| (*value, format!("{value} & more")));
        let map = HeatMap {
            title: "per setting".to_owned(),
            rows: ("server".to_owned(), names(1)),
            columns: ("client".to_owned(), names(values.len())),
            cells: vec![values.iter().map(cell).collect()],
        };
        let mut out = Vec::new();
        write_heat_map(&map, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_costs_more_is_darker_and_what_is_missing_is_gray() {
        let text = drawn(&[1.0, 10.0, 100.0, 0.0]);
        for part in [
            "rgb(229,239,249)",
            "rgb(118,154,198)",
            "rgb(8,69,148)",
            "#eeeeee",
            "&lt;3&gt;",
            "1 &amp; more",
            ">–<",
        ] {
            assert!(
                text.contains(part)
                    || part == "rgb(118,154,198)" && text.contains("rgb(119,154,199)"),
                "{part}: {text}"
            );
        }
        assert!(
            text.trim_end().ends_with("</svg>") && !text.contains("<style"),
            "{text}"
        );
    }

    #[test]
    fn noise_does_not_look_like_a_difference() {
        let text = drawn(&[100.0, 101.0]);
        assert!(!text.contains("rgb(8,69,148)"), "{text}");
    }
}
