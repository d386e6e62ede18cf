// A status page shows whether a few services run. For each service of each page the whole list of processes is gone
// through in /proc, as pidof does it.
use std::fs;
use std::time::{Duration, Instant};

const SERVICES: [&str; 4] = ["mail-relay", "time-keeper", "print-spooler", "log-rotator"];

#[derive(Default)]
struct Counts {
    pages: u64,
    files: u64,
    looking: Duration,
}

fn command_of(pid: &str) -> Option<String> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let first = line.split(|byte| *byte == 0).next()?;
    let name = first.rsplit(|byte| *byte == b'/').next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

fn find_service(name: &str, counts: &mut Counts) -> Option<u32> {
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let file = entry.file_name();
        let pid = file.to_string_lossy();
        if !pid.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        counts.files += 1;
        if command_of(&pid).as_deref() == Some(name) {
            return pid.parse().ok();
        }
    }
    None
}

fn status_page(counts: &mut Counts) -> String {
    let mut page = String::from("<table>");
    for name in SERVICES {
        let before = Instant::now();
        let found = find_service(name, counts);
        counts.looking += before.elapsed();
        page += &match found {
            Some(pid) => format!("<tr><td>{name}<td>runs as {pid}"),
            None => format!("<tr><td>{name}<td>does not run"),
        };
    }
    counts.pages += 1;
    page + "</table>"
}

fn main() {
    let start = Instant::now();
    let mut counts = Counts::default();
    let mut bytes = 0;
    while start.elapsed() < Duration::from_secs(2) {
        bytes += status_page(&mut counts).len();
    }
    let looking = counts.looking.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("looking {looking:.3}\npages {}\nfiles_per_page {}\nbytes {bytes}\n", counts.pages,
        counts.files / counts.pages)).unwrap();
}
