//! Shows how long people wait at a counter: the median and the slowest tenth of the last 20,000, after each one.
use std::collections::VecDeque;
use std::time::{Duration, Instant};

struct Window {
    last: VecDeque<u32>,
    room: usize,
}

impl Window {
    fn new(room: usize) -> Self {
        Window { last: VecDeque::with_capacity(room), room }
    }

    fn add(&mut self, seconds: u32) {
        if self.last.len() == self.room {
            self.last.pop_front();
        }
        self.last.push_back(seconds);
    }

    #[inline(never)]
    fn percentiles(&self) -> (u32, u32) {
        let mut sorted: Vec<u32> = self.last.iter().copied().collect();
        sorted.sort();
        (sorted[sorted.len() / 2], sorted[sorted.len() * 9 / 10])
    }
}

struct Counter(u64);

impl Counter {
    fn next_wait(&mut self) -> u32 {
        let mut sum = 0;
        for _ in 0..4 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            sum += (self.0 >> 33) as u32 % 400;
        }
        sum
    }
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let mut window = Window::new(20_000);
    let mut counter = Counter(3);
    let (mut people, mut alarms) = (0u64, 0u64);
    let mut shown = (0, 0);
    for _ in 0..20_000 {
        window.add(counter.next_wait());
    }
    while Instant::now() < end {
        window.add(counter.next_wait());
        shown = window.percentiles();
        people += 1;
        if shown.1 > 1_100 {
            alarms += 1;
        }
    }
    println!("{people} people, median {} s, slowest tenth from {} s, {alarms} alarms", shown.0, shown.1);
}
