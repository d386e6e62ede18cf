//! The history of a machine: the newest event comes first.
use std::collections::VecDeque;
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
struct Event {
    second: u64,
    kind: u32,
    value: i32,
}

fn event(number: u64) -> Event {
    Event { second: number / 7, kind: (number % 23) as u32, value: (number * 37 % 1000) as i32 - 500 }
}

#[inline(never)]
fn add_event(history: &mut Vec<Event>, event: Event) {
    history.insert(0, event);
}

fn main() {
    let mut history = Vec::new();
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        let before = Instant::now();
        for _ in 0..1000 {
            let next = event(history.len() as u64);
            add_event(&mut history, next);
        }
        times.push(before.elapsed().as_secs_f64());
    }
    let wall = start.elapsed().as_secs_f64();
    let before = Instant::now();
    let mut other = VecDeque::new();
    for number in 0..history.len() as u64 {
        other.push_front(event(number));
    }
    let share = before.elapsed().as_secs_f64() / wall;
    let sum: i64 = history.iter().zip(&other).map(|(one, two)| i64::from(one.value - two.value) + (one.second + u64::from(one.kind) - two.second - u64::from(two.kind)) as i64).sum();
    let text = format!("moving {:.4}\nevents {}\ngrowth {:.0}\ndifference {sum}\n", 1.0 - share, history.len(), times[times.len() - 1] / times[0]);
    std::fs::write("truth", text).unwrap();
}
