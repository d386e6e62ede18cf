//! Finds the best baskets for a sum of money; the prices come from a cache in another process, many at once.
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

const ARTICLES: u32 = 2000;

#[inline(never)]
fn fetch_prices(cache: &mut UnixStream, articles: &[u32]) -> Vec<u32> {
    let mut request = (articles.len() as u32).to_le_bytes().to_vec();
    for article in articles {
        request.extend(article.to_le_bytes());
    }
    cache.write_all(&request).unwrap();
    let mut reply = vec![0; articles.len() * 4];
    cache.read_exact(&mut reply).unwrap();
    reply.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// How many ways there are to spend up to a sum on a part of the articles (each once), modulo 2^32.
#[inline(never)]
fn count_baskets(prices: &[u32], sum: usize) -> u32 {
    let mut ways = vec![0u32; sum + 1];
    ways[0] = 1;
    for &price in prices {
        for s in (price as usize..=sum).rev() {
            ways[s] = ways[s].wrapping_add(ways[s - price as usize]);
        }
    }
    ways.iter().fold(0, |a, w| a.wrapping_add(*w))
}

fn offers(prices: &[u32]) -> u32 {
    let (cheap, dear) = prices.split_at(prices.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| count_baskets(dear, 30_000));
        count_baskets(cheap, 30_000).wrapping_add(other.join().unwrap())
    })
}

fn main() {
    let mut cache = UnixStream::connect("prices.sock").unwrap();
    let start = Instant::now();
    let (mut fetching, mut rounds, mut sum) = (Duration::ZERO, 0u32, 0u32);
    while start.elapsed() < Duration::from_secs(2) {
        let articles: Vec<u32> = (0..ARTICLES).map(|n| n * 7 + rounds).collect();
        let before = Instant::now();
        let prices = fetch_prices(&mut cache, &articles);
        fetching += before.elapsed();
        sum = sum.wrapping_add(offers(&prices));
        rounds += 1;
    }
    let wall = start.elapsed().as_secs_f64();
    println!("{sum}");
    std::fs::write("truth", format!("fetching {:.4}\nrounds {rounds}\n", fetching.as_secs_f64() / wall)).unwrap();
}
