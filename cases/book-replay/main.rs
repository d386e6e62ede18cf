// Replays a day of market messages: each message gets an order book that is built from its levels and asked for a price.
use std::time::{Duration, Instant};

const DEPTH: usize = 1 << 20;

#[derive(Clone, Copy, Default)]
struct Level {
    price: u32,
    amount: u32,
}

struct Book {
    levels: Vec<Level>,
}

struct Message {
    base: u32,
    changes: [(u32, u32); 48],
}

struct Feed {
    state: u64,
}

impl Feed {
    fn draw(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as u32
    }

    fn next(&mut self) -> Message {
        let base = 10_000 + self.draw() % 500;
        let mut changes = [(0, 0); 48];
        for change in changes.iter_mut() {
            *change = (self.draw() % DEPTH as u32, 1 + self.draw() % 900);
        }
        Message { base, changes }
    }
}

#[inline(never)]
fn build_book(message: &Message) -> Book {
    let mut levels = vec![Level::default(); DEPTH];
    for &(level, amount) in &message.changes {
        levels[level as usize] = Level { price: message.base + level, amount };
    }
    Book { levels }
}

#[inline(never)]
fn best_price(book: &Book, message: &Message) -> u32 {
    message.changes.iter().map(|&(level, _)| &book.levels[level as usize]).filter(|l| l.amount > 100).map(|l| l.price).min().unwrap_or(0)
}

fn main() {
    let mut feed = Feed { state: 88172645463325252 };
    let start = Instant::now();
    let (mut messages, mut sum) = (0u64, 0u64);
    while start.elapsed() < Duration::from_secs(2) {
        let message = feed.next();
        let book = build_book(&message);
        sum += best_price(&book, &message) as u64;
        messages += 1;
    }
    println!("{messages} messages, mean best price {}", sum / messages);
}
