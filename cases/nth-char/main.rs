//! Checks that the brackets in templates are balanced.
use std::time::{Duration, Instant};

fn char_at(text: &str, position: usize) -> Option<char> {
    text.chars().nth(position)
}

fn first_unbalanced(text: &str) -> Option<usize> {
    let (mut open, mut position) = (Vec::new(), 0);
    while let Some(character) = char_at(text, position) {
        match character {
            '{' => open.push(position),
            '}' if open.pop().is_none() => return Some(position),
            _ => {}
        }
        position += 1;
    }
    open.pop()
}

fn first_unbalanced_in_one_pass(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (position, character) in text.chars().enumerate() {
        match character {
            '{' => open.push(position),
            '}' if open.pop().is_none() => return Some(position),
            _ => {}
        }
    }
    open.pop()
}

fn check_template(paragraphs: usize) -> Duration {
    let text = "Grüße an {name}, Ihre Bestellung {number} vom {day} ist unterwegs.\n".repeat(paragraphs);
    let start = Instant::now();
    assert_eq!(first_unbalanced(&text), None);
    start.elapsed()
}

fn main() {
    let (start, mut templates) = (Instant::now(), 0);
    let mut last = Duration::ZERO;
    while start.elapsed() < Duration::from_millis(1900) {
        last = check_template(250);
        templates += 1;
    }
    let half = check_template(125);
    let text = "Grüße an {name}, Ihre Bestellung {number} vom {day} ist unterwegs.\n".repeat(250);
    let before = Instant::now();
    assert_eq!(first_unbalanced_in_one_pass(&text), None);
    std::fs::write("truth", format!(
        "templates {templates}\nof_half_the_size {:.3}\nin_one_pass {:.5}\n",
        half.as_secs_f64() / last.as_secs_f64(), before.elapsed().as_secs_f64() / last.as_secs_f64())).unwrap();
}
