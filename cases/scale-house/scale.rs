//! The scale: answers at once, ends its answers with a carriage return.
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixListener;

fn main() -> std::io::Result<()> {
    let listener = UnixListener::bind("scale.sock")?;
    File::create("ready")?;
    for house in listener.incoming() {
        let mut house = house?;
        let questions = BufReader::new(house.try_clone()?);
        for (n, question) in questions.lines().enumerate() {
            if question? != "W" {
                continue;
            }
            let weight = if n % 2 == 0 { 12_400 + n % 7 * 20 } else { 31_000 + n % 11 * 140 };
            if write!(house, "{weight} kg\r").is_err() {
                break;
            }
        }
    }
    Ok(())
}
