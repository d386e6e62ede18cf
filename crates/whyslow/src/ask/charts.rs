//! The charts of `timeline`, one per file.

use std::io::{self, Write};

use whyslow_query::{Chart, ResultTable};
use whyslow_render::cell::TimeStyle;
use whyslow_render::{Paint, escape, write_chart};

/// Writes `charts`; `table` knows the clocks of their files.
pub(super) fn write_charts(
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
