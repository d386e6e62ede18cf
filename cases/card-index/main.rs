//! A card index in a file: follows the references from card to card, as a reader in a library would.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

const CARD: usize = 64;
const CARDS: u64 = 60_000;

struct Card {
    number: u64,
    see_also: u64,
    title: String,
}

fn write_cards(path: &str) -> io::Result<()> {
    let mut file = io::BufWriter::new(File::create(path)?);
    for number in 0..CARDS {
        let see_also = (number * 48_271 + 11) % CARDS;
        let title = format!("On the {} of {}", number % 811, number % 97);
        let text = format!("{number:>8}{see_also:>8}{title:<48}");
        file.write_all(&text.as_bytes()[..CARD])?;
    }
    file.flush()
}

fn number(text: &[u8]) -> u64 {
    let text = std::str::from_utf8(text).unwrap_or("");
    text.trim().parse().unwrap_or(0)
}

fn read_card(index: &mut BufReader<File>, wanted: u64) -> io::Result<Card> {
    let mut card = [0; CARD];
    index.seek(SeekFrom::Start(wanted * CARD as u64))?;
    index.read_exact(&mut card)?;
    let title = String::from_utf8_lossy(&card[16..]).trim_end().to_owned();
    Ok(Card { number: number(&card[..8]), see_also: number(&card[8..16]), title })
}

fn wander(index: &mut BufReader<File>, end: Instant) -> io::Result<(u64, usize)> {
    let (mut at, mut read, mut letters) = (1, 0, 0);
    while read % 256 != 0 || Instant::now() < end {
        let card = read_card(index, at)?;
        letters += card.title.len();
        at = if card.see_also == card.number { read % CARDS } else { card.see_also };
        read += 1;
    }
    Ok((read, letters))
}

fn main() -> io::Result<()> {
    write_cards("cards.dat")?;
    let mut index = BufReader::with_capacity(128 << 10, File::open("cards.dat")?);
    let start = Instant::now();
    let (read, letters) = wander(&mut index, start + Duration::from_secs(2))?;
    let each = start.elapsed().as_secs_f64() / read as f64 * 1e6;
    fs::write("truth", format!("cards {read}\nus_per_card {each:.2}\nletters {letters}\n"))
}
