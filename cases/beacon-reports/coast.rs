//! The coast station: a receipt for each report, at once.
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    fs::write("port", listener.local_addr()?.port().to_string())?;
    fs::write("ready", "")?;
    for beacon in listener.incoming() {
        let mut beacon = beacon?;
        let reports = BufReader::new(beacon.try_clone()?);
        for (n, report) in reports.lines().enumerate() {
            if report.is_err() || beacon.write_all(format!("{}\n", n + 1).as_bytes()).is_err() {
                break;
            }
        }
    }
    Ok(())
}
