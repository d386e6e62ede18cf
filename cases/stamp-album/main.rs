//! An album of stamps, by country, year and value. "The standard hasher is too slow", somebody said.
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::time::{Duration, Instant};

/// Adds up the bytes.
#[derive(Default)]
struct SumHasher(u64);

impl Hasher for SumHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stamp {
    country: u16,
    year: u16,
    value: u16,
}

type Album<S> = HashMap<Stamp, u32, S>;

fn collect<S: std::hash::BuildHasher + Default>(number: u16) -> Album<S> {
    (0..number).map(|n| (Stamp { country: n % 64, year: 1900 + n / 64 % 100, value: n / 6400 * 10 }, u32::from(n))).collect()
}

#[inline(never)]
fn owned<S: std::hash::BuildHasher>(album: &Album<S>, stamp: &Stamp) -> u32 {
    album.get(stamp).copied().unwrap_or(0)
}

fn nanos_per_look_up<S: std::hash::BuildHasher>(album: &Album<S>, until: Duration, found: &mut u64) -> f64 {
    let (start, mut asked) = (Instant::now(), 0u64);
    while start.elapsed() < until {
        for n in 0..500u16 {
            let stamp = Stamp { country: n * 31 % 64, year: 1900 + n * 7 % 100, value: n % 2 * 10 };
            *found += u64::from(owned(album, &stamp));
        }
        asked += 500;
    }
    start.elapsed().as_nanos() as f64 / asked as f64
}

fn main() {
    let album: Album<BuildHasherDefault<SumHasher>> = collect(12_000);
    let standard: Album<std::hash::RandomState> = collect(12_000);
    let mut found = 0;
    let sum = nanos_per_look_up(&album, Duration::from_secs(2), &mut found);
    let other = nanos_per_look_up(&standard, Duration::from_millis(50), &mut found);
    std::fs::write("truth", format!("ns_per_look_up {sum:.0}\nns_with_the_standard_hasher {other:.0}\nfound {found}\n")).unwrap();
}
