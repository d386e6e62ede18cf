//! The chains of `chain.c` in Rust: collections, formatting, threads.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

static LOCK: Mutex<()> = Mutex::new(());

#[inline(never)]
fn compute(mut seed: u32) {
    let mut next = || {
        seed = seed.wrapping_add(0x9e37_79b9);
        seed >> 7
    };
    let mut numbers: Vec<u32> = (0..3000).map(|_| next()).collect();
    numbers.sort_by(|a, b| a.cmp(b));
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut text = String::new();
    for (i, number) in numbers.iter().take(300).enumerate() {
        text += &format!("{number} {:.3} ", f64::from(*number).sqrt());
        *names.entry(number.to_string()).or_default() += i;
    }
    black_box((names, text));
}

#[inline(never)]
fn wait_a_little(n: u32) {
    let held = (n % 2 == 1).then(|| LOCK.lock().unwrap());
    std::thread::sleep(Duration::from_micros(700));
    black_box(held);
}

macro_rules! bottoms {
    ($($name:ident $n:literal),*) => {$(
        #[inline(never)]
        fn $name() {
            compute(black_box($n));
            wait_a_little($n);
            black_box($n);
        }
    )*};
}
bottoms!(bottom_0 0, bottom_1 1, bottom_2 2, bottom_3 3, bottom_4 4, bottom_5 5, bottom_6 6, bottom_7 7);

#[inline(never)]
fn turn_8(n: u32) {
    let bottoms: [fn(); 8] = [bottom_0, bottom_1, bottom_2, bottom_3, bottom_4, bottom_5, bottom_6, bottom_7];
    black_box(bottoms)[n as usize]();
    black_box(n);
}

macro_rules! turn {
    ($turn:ident $left:ident $right:ident $bit:literal $next:ident) => {
        #[inline(never)]
        fn $left(n: u32) {
            $next(n);
            black_box(n + $bit);
        }
        #[inline(never)]
        fn $right(n: u32) {
            $next(n);
            black_box(n + 8 + $bit);
        }
        #[inline(always)]
        fn $turn(n: u32) {
            match n >> ($bit % 3) & 1 {
                1 => $right(n),
                _ => $left(n),
            }
        }
    };
}
turn!(turn_7 left_7 right_7 7 turn_8);
turn!(turn_6 left_6 right_6 6 turn_7);
turn!(turn_5 left_5 right_5 5 turn_6);
turn!(turn_4 left_4 right_4 4 turn_5);
turn!(turn_3 left_3 right_3 3 turn_4);
turn!(turn_2 left_2 right_2 2 turn_3);
turn!(turn_1 left_1 right_1 1 turn_2);
turn!(turn_0 left_0 right_0 0 turn_1);

fn work(until: Instant) {
    for n in 0.. {
        if Instant::now() >= until {
            break;
        }
        turn_0(n % 8);
    }
}

fn main() {
    let seconds = std::env::args().nth(1).map_or(1.0, |text| text.parse().unwrap());
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let thread = std::thread::spawn(move || work(until));
    work(until);
    thread.join().unwrap();
}
