//! Prints the stock of a warehouse as a table.
use std::io::Write;
use std::time::{Duration, Instant};

struct Article {
    number: u64,
    pieces: u64,
    shelf: u64,
}

fn article(number: u64) -> Article {
    Article { number, pieces: number * 37 % 911, shelf: number % 120 }
}

#[inline(never)]
fn print_row(article: &Article) {
    println!("{};{};shelf {}", article.number, article.pieces, article.shelf);
}

#[inline(never)]
fn print_stock() -> u64 {
    let start = Instant::now();
    let mut rows = 0;
    while start.elapsed() < Duration::from_secs(2) {
        for number in rows..rows + 200 {
            print_row(&article(number));
        }
        rows += 200;
    }
    rows
}

fn main() {
    let start = Instant::now();
    let rows = print_stock();
    let each = start.elapsed().as_secs_f64() / rows as f64;
    let again = Instant::now();
    let mut buffered = std::io::BufWriter::new(std::fs::File::create("buffered.csv").unwrap());
    for number in 0..50_000 {
        let Article { number, pieces, shelf } = article(number);
        writeln!(buffered, "{number};{pieces};shelf {shelf}").unwrap();
    }
    buffered.flush().unwrap();
    let other = again.elapsed().as_secs_f64() / 50_000.0;
    std::fs::write("truth", format!("rows {rows}\nunbuffered {:.3}\ntimes_slower {:.1}\n", 1.0 - other / each, each / other)).unwrap();
}
