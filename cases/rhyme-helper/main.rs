//! A songwriter's tool asks a helper for rhymes, one word per line through pipes.
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

struct Helper {
    words: ChildStdin,
    rhymes: BufReader<ChildStdout>,
}

impl Helper {
    #[inline(never)]
    fn ask_rhyme(&mut self, word: &str) -> String {
        self.words.write_all(format!("{word}\n").as_bytes()).unwrap();
        let mut rhyme = String::new();
        self.rhymes.read_line(&mut rhyme).unwrap();
        rhyme
    }
}

fn main() {
    let script = std::env::args().nth(2).unwrap();
    let mut child = Command::new(std::env::args().nth(1).unwrap())
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut helper = Helper { words: child.stdin.take().unwrap(), rhymes: BufReader::new(child.stdout.take().unwrap()) };
    let (start, mut asked, mut letters) = (Instant::now(), 0, 0);
    let mut waited = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(2) {
        let before = Instant::now();
        letters += helper.ask_rhyme(["night", "house", "river", "stone"][asked % 4]).len();
        waited += before.elapsed();
        asked += 1;
    }
    drop(helper);
    child.wait().unwrap();
    let share = waited.as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("waited {share:.3}\nasked {asked}\nletters {letters}\n")).unwrap();
}
