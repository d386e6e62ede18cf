//! Counts hits and bytes per page of an access log, in two stages on two threads.
use std::collections::HashMap;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::time::{Duration, Instant};

struct Hit {
    page: String,
    bytes: u64,
    failed: bool,
}

fn make_log() -> String {
    (0..60_000u64)
        .map(|n| format!("198.51.100.{} - - [06/May/2024] \"GET /shop/page-{}.html HTTP/1.1\" {} {}\n",
            n % 250, n * 7919 % 1777, if n % 13 == 0 { 404 } else { 200 }, n * 31 % 9973))
        .collect()
}

fn parse_line(line: &str) -> Option<Hit> {
    let (_, rest) = line.split_once('"')?;
    let (request, rest) = rest.split_once('"')?;
    let page = request.split(' ').nth(1)?.to_lowercase();
    let mut numbers = rest.split_whitespace();
    let status: u16 = numbers.next()?.parse().ok()?;
    Some(Hit { page, bytes: numbers.next()?.parse().ok()?, failed: status >= 400 })
}

fn split_log(log: &str, until: Instant, batches: SyncSender<Vec<Hit>>) -> Duration {
    let (mut waited, mut batch) = (Duration::ZERO, Vec::with_capacity(3000));
    while Instant::now() < until {
        for line in log.lines() {
            batch.extend(parse_line(line));
            if batch.len() == 3000 {
                let before = Instant::now();
                batches.send(std::mem::replace(&mut batch, Vec::with_capacity(3000))).unwrap();
                waited += before.elapsed();
            }
        }
    }
    waited
}

fn count_hits(batches: Receiver<Vec<Hit>>) -> (HashMap<String, (u64, u64, u64)>, Duration) {
    let (mut pages, mut waited) = (HashMap::new(), Duration::ZERO);
    loop {
        let before = Instant::now();
        let Ok(batch) = batches.recv() else { return (pages, waited) };
        waited += before.elapsed();
        for hit in batch {
            for prefix in [hit.page.as_str(), &hit.page[..hit.page.len() - 5]] {
                let entry = pages.entry(prefix.to_owned()).or_insert((0, 0, 0));
                *entry = (entry.0 + 1, entry.1 + hit.bytes, entry.2 + u64::from(hit.failed));
            }
        }
    }
}

fn main() {
    let log = make_log();
    let (sender, receiver) = sync_channel(16);
    let start = Instant::now();
    let counter = std::thread::Builder::new().name("counter".into()).spawn(move || count_hits(receiver)).unwrap();
    let sending = split_log(&log, start + Duration::from_secs(2), sender);
    let (pages, receiving) = counter.join().unwrap();
    let took = start.elapsed().as_secs_f64();
    let hits: u64 = pages.values().map(|page| page.0).sum();
    std::fs::write("truth", format!("waited_to_send {:.3}\nwaited_to_receive {:.3}\nhits {hits}\n",
        sending.as_secs_f64() / took, receiving.as_secs_f64() / took)).unwrap();
}
