//! A prompter's script: splits the text of a play into words, taking characters from its front.
use std::time::Instant;

struct Script {
    rest: String,
}

impl Script {
    #[inline(never)]
    fn next_char(&mut self) -> Option<char> {
        if self.rest.is_empty() {
            None
        } else {
            Some(self.rest.remove(0))
        }
    }

    #[inline(never)]
    fn next_word(&mut self) -> Option<String> {
        let mut word = String::new();
        while let Some(c) = self.next_char() {
            if c.is_whitespace() {
                if !word.is_empty() {
                    break;
                }
            } else {
                word.push(c);
            }
        }
        if word.is_empty() { None } else { Some(word) }
    }
}

fn play(acts: usize) -> String {
    let lines = ["Enter the Duke, with attendants.", "What country, friends, is this?", "Exeunt all but the fool."];
    (0..acts).map(|n| format!("{} {}\n", lines[n % 3], n)).collect()
}

fn main() {
    let text = play(12_000);
    let start = Instant::now();
    let (mut words, mut longest, mut plays) = (0u64, 0, 0);
    'day: loop {
        let mut script = Script { rest: text.clone() };
        while let Some(word) = script.next_word() {
            words += 1;
            longest = longest.max(word.len());
            if words % 64 == 0 && start.elapsed().as_secs_f64() > 2.0 {
                break 'day;
            }
        }
        plays += 1;
    }
    std::fs::write("truth", format!("words {words}\nlongest {longest}\nplays {plays}\nbytes {}\n", text.len())).unwrap();
}
