// An import that is soon done; but its log is written by a thread that makes every line durable, and the program waits
// at its end until that thread has written them all.
use std::fs::{self, File};
use std::io::Write;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

fn write_line(log: &mut File, line: &str) {
    log.write_all(line.as_bytes()).unwrap();
    log.sync_data().unwrap();
}

fn write_log(lines: Receiver<String>) -> u32 {
    let mut log = File::create("import.log").unwrap();
    let mut written = 0;
    for line in lines {
        write_line(&mut log, &line);
        written += 1;
    }
    written
}

/// How many lines can be made durable in 2 s, so that the program takes as long on each disk.
fn lines_in_two_seconds() -> u64 {
    let mut probe = File::create("probe").unwrap();
    let start = Instant::now();
    for _ in 0..25 {
        write_line(&mut probe, "one line of the log\n");
    }
    (25.0 * 2.0 / start.elapsed().as_secs_f64()).clamp(50.0, 40000.0) as u64
}

fn close_log(logger: thread::JoinHandle<u32>) -> u32 {
    logger.join().unwrap()
}

fn main() {
    let rows = lines_in_two_seconds();
    let (log, lines) = channel();
    let logger = thread::Builder::new().name("logger".to_owned()).spawn(|| write_log(lines)).unwrap();
    let start = Instant::now();
    for row in 0..rows {
        log.send(format!("row {row} imported\n")).unwrap();
    }
    drop(log);
    let imported = start.elapsed().as_secs_f64();
    let written = close_log(logger);
    let took = start.elapsed().as_secs_f64();
    fs::write("truth", format!("importing {imported:.4}\nclosing {:.3}\nlines {written}\n", took - imported)).unwrap();
}
