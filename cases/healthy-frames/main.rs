//! An animation at 50 pictures per second: computes a picture, and sleeps until it is time for the next.

use std::env;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

const SIDE: usize = 220;

struct Ball {
    place: (f64, f64),
    speed: (f64, f64),
}

fn balls() -> Vec<Ball> {
    (0..24)
        .map(|n| Ball {
            place: (f64::from(n * 31 % 200), f64::from(n * 17 % 200)),
            speed: (f64::from(n % 7) - 3.1, f64::from(n % 5) - 2.2),
        })
        .collect()
}

fn advance(at: &mut f64, speed: &mut f64) {
    *at += *speed;
    if !(0.0..SIDE as f64).contains(at) {
        *speed = -*speed;
        *at += 2.0 * *speed;
    }
}

fn step(balls: &mut [Ball]) {
    for ball in balls {
        advance(&mut ball.place.0, &mut ball.speed.0);
        advance(&mut ball.place.1, &mut ball.speed.1);
    }
}

fn light(balls: &[Ball], x: usize, y: usize) -> u8 {
    let mut sum = 0.0;
    for ball in balls {
        let (dx, dy) = (ball.place.0 - x as f64, ball.place.1 - y as f64);
        sum += 900.0 / (dx * dx + dy * dy + 5.0);
    }
    sum.min(255.0) as u8
}

fn draw(balls: &[Ball], picture: &mut [u8]) {
    for (at, pixel) in picture.iter_mut().enumerate() {
        *pixel = light(balls, at % SIDE, at / SIDE);
    }
}

/// Sleeps until a moment; returns how late it is then.
fn wait_until(moment: Instant) -> Duration {
    thread::sleep(moment.saturating_duration_since(Instant::now()));
    Instant::now().saturating_duration_since(moment)
}

fn main() -> std::io::Result<()> {
    let argument = |n: usize| env::args().nth(n).and_then(|word| word.parse::<u64>().ok());
    let (rate, pictures) = (argument(1).unwrap_or(50), argument(2).unwrap_or(100));
    let period = Duration::from_secs(1) / rate as u32;
    let mut balls = balls();
    let mut picture = vec![0; SIDE * SIDE];
    let mut next = Instant::now() + period;
    let (mut late, mut sum) = (0, 0_u64);
    for _ in 0..pictures {
        step(&mut balls);
        draw(&balls, &mut picture);
        sum += u64::from(picture[SIDE * SIDE / 2]);
        if wait_until(next) > period / 2 {
            late += 1;
        }
        next += period;
    }
    fs::write("truth", format!("pictures {pictures}\nlate {late}\nsum {sum}\n"))
}
