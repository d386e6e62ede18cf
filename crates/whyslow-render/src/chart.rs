//! A chart over time for a terminal: one line per process, one eighth block per slice of time.
//!
//! ```text
//! CPU (precise)   0.000 s                         4.200 s          sum
//! cc1 (1234)     │▁▃██████▇▅▂          ▁▂▃▅▇███████▇▅▃▁│  3,210.5 ms
//! █ = 2 CPUs; a column is 100.0 ms
//! ```
//!
//! All lines of a chart have one scale. A slice without any is a space; anything above zero shows at
//! least the lowest block.

use std::io::{self, Write};

use whyslow_results::{Chart, Clock, ResultTable, Series, TimeFormat};

use crate::cell::TimeStyle;
use crate::escape::escape;
use crate::measure::{cut, pad, width};
use crate::number;
use crate::paint::Paint;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The narrowest a chart's plot gets, however narrow the terminal.
const LEAST_PLOT: usize = 16;

/// The widest a label gets.
const WIDEST_LABEL: usize = 24;

/// What a line has beside its label and plot: the frame, gaps, and a sum like `1,234,567.8 ms`.
const BESIDE_PLOT: usize = 18;

/// Returns how many slices of time fit beside labels and sums on a terminal with `room` columns.
pub fn plot_width(room: usize) -> usize {
    room.saturating_sub(WIDEST_LABEL + BESIDE_PLOT)
        .max(LEAST_PLOT)
}

/// Writes `charts`, one per file; `table` knows the clocks of their files.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_charts(
    charts: &[Chart],
    table: &ResultTable,
    time: TimeStyle,
    paint: Paint,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    for (at, chart) in charts.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        if charts.len() > 1 {
            writeln!(out, "{}", paint.heading(&escape(&chart.file)))?;
        }
        let mut files = table.files.iter();
        let clock = files.find(|file| *file.name == *chart.file);
        let clock = clock.map(|file| file.clock).unwrap_or_default();
        write_chart(chart, &clock, time, paint, out)?;
    }
    Ok(())
}

/// Writes `chart`; `clock` is that of its file.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_chart(
    chart: &Chart,
    clock: &Clock,
    time: TimeStyle,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sums: Vec<i64> = chart.series.iter().map(sum).collect();
    let unit = number::duration_unit(sums.iter().map(|sum| sum.unsigned_abs()).max().unwrap_or(0));
    let sums: Vec<String> = sums.iter().map(|&sum| number::in_unit(sum, unit)).collect();
    let heading = format!("sum {}", unit.label);
    let sums_width = sums
        .iter()
        .map(|sum| width(sum))
        .chain([width(&heading)])
        .max()
        .unwrap_or(0);
    let labels = chart
        .series
        .iter()
        .map(|series| width(&escape(&series.label)));
    let labels = labels
        .max()
        .unwrap_or(0)
        .min(WIDEST_LABEL)
        .max(width(&chart.title));
    let slices = chart
        .series
        .iter()
        .map(|series| series.values.len())
        .max()
        .unwrap_or(0);
    let full = full(chart);

    let mut line = String::new();
    pad(&mut line, &chart.title, labels + 2, false);
    line.push_str(&axis(chart, slices, clock, time));
    line.push_str("   ");
    pad(&mut line, &heading, sums_width, true);
    writeln!(out, "{}", paint.heading(line.trim_end()))?;
    for (series, sum) in chart.series.iter().zip(&sums) {
        let mut line = String::new();
        pad(
            &mut line,
            &cut(&escape(&series.label), labels),
            labels,
            false,
        );
        line.push(' ');
        line.push_str(&paint.faint("│"));
        let bars: String = series
            .values
            .iter()
            .map(|&value| block(value, full))
            .collect();
        line.push_str(&paint.bar(&bars));
        line.push_str(&" ".repeat(slices.saturating_sub(series.values.len())));
        line.push_str(&paint.faint("│"));
        line.push_str("  ");
        pad(&mut line, sum, sums_width, true);
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "{}", paint.faint(&legend(chart, full)))
}

fn sum(series: &Series) -> i64 {
    series
        .values
        .iter()
        .fold(0, |sum, &value| sum.saturating_add(value))
}

/// Returns the value that a full block represents: the highest slice, in whole slices (CPUs,
/// threads) if
/// it is more than half of one.
fn full(chart: &Chart) -> i64 {
    let values = chart.series.iter().flat_map(|series| &series.values);
    let highest = values.copied().max().unwrap_or(0).max(1);
    let slice = chart.slice_ns.max(1);
    if highest > slice / 2 {
        (highest + slice / 20) / slice * slice
            + if (highest + slice / 20) % slice > slice / 10 {
                slice
            } else {
                0
            }
    } else {
        highest
    }
    .max(1)
}

fn legend(chart: &Chart, full: i64) -> String {
    let slice = chart.slice_ns.max(1);
    let column = number::duration(slice);
    let cpu = chart.title.starts_with("CPU");
    let percent = full.saturating_mul(100) / slice;
    let height = if full % slice == 0 {
        let count = full / slice;
        let what = if cpu { "CPU" } else { "thread" };
        format!("{count} {what}{}", if count == 1 { "" } else { "s" })
    } else if cpu && percent > 0 {
        format!("{percent} % of a CPU")
    } else {
        number::duration(full)
    };
    format!("█ = {height}; a column is {column}")
}

fn axis(chart: &Chart, slices: usize, clock: &Clock, time: TimeStyle) -> String {
    let point = |ns: i64| {
        let text = time.format.format(ns, clock, time.digits);
        let text = text.or_else(|| TimeFormat::Trace.format(ns, clock, time.digits));
        let unit = if time.format == TimeFormat::Trace {
            " s"
        } else {
            ""
        };
        text.unwrap_or_default() + unit
    };
    let length = i64::try_from(slices)
        .unwrap_or(0)
        .saturating_mul(chart.slice_ns);
    let (from, to) = (
        point(chart.start_ns),
        point(chart.start_ns.saturating_add(length)),
    );
    let mut axis = from;
    let missing = slices.saturating_sub(width(&axis));
    if missing > width(&to) {
        pad(&mut axis, &to, missing, true);
    } else {
        axis.push_str(&" ".repeat(missing));
    }
    axis
}

/// Returns the block for `value`, where `full` fills it.
fn block(value: i64, full: i64) -> char {
    if value <= 0 {
        return ' ';
    }
    let eighths = (i128::from(value) * 8).div_euclid(i128::from(full.max(1))) + 1;
    let at = usize::try_from(eighths.clamp(1, 8)).unwrap_or(8) - 1;
    BLOCKS.get(at).copied().unwrap_or('█')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_with_the_value() {
        let blocks: String = [0, 1, 25, 50, 99, 100, 900]
            .iter()
            .map(|&value| block(value, 100))
            .collect();
        assert_eq!(blocks, " ▁▃▅███");
    }

    #[test]
    fn the_legend_says_how_much_a_full_block_is() {
        let mut chart = chart([0; 20]);
        let starts = |chart: &Chart, full: i64, text: &str| {
            let legend = legend(chart, full);
            assert!(legend.starts_with(text), "{legend}");
        };
        starts(&chart, 200, "█ = 2 CPUs;");
        starts(&chart, 36, "█ = 36 % of a CPU;");
        chart.title = "Wait".to_owned();
        starts(&chart, 100, "█ = 1 thread;");
        starts(&chart, 36, "█ = 36 ns;");
    }

    fn chart(values: [i64; 20]) -> Chart {
        let series = |label: &str, values: Vec<i64>| Series {
            label: label.to_owned(),
            values,
        };
        Chart {
            file: "x".to_owned(),
            title: "CPU (precise)".to_owned(),
            start_ns: 0,
            slice_ns: 100,
            full_ns: Some(200),
            series: vec![
                series("cc1 (12)", values.to_vec()),
                series("a\x1bb", vec![0; 20]),
            ],
        }
    }

    #[test]
    fn a_chart_lines_up() {
        let mut values = [0; 20];
        values[3..7].copy_from_slice(&[20, 100, 195, 60]);
        let mut out = Vec::new();
        let time = TimeStyle {
            digits: 1,
            ..TimeStyle::default()
        };
        write_chart(
            &chart(values),
            &Clock::default(),
            time,
            Paint::Plain,
            &mut out,
        )
        .unwrap();
        let expected = "\
CPU (precise)  0.0 s          0.0 s   sum µs
cc1 (12)      │   ▁▅█▃             │     0.4
a\\x1bb        │                    │       0
█ = 2 CPUs; a column is 100 ns
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn the_scale_is_whole_cpus_unless_there_is_little() {
        let full_of = |highest: i64| full(&chart(std::array::from_fn(|_| highest)));
        assert_eq!(full_of(198), 200);
        assert_eq!(full_of(101), 100);
        assert_eq!(full_of(130), 200);
        assert_eq!(full_of(60), 100);
        assert_eq!(full_of(7), 7);
    }
}
