//! The pictures on the menus of many restaurants: a cache of thumbnails that forgets the one not used for longest.
use std::collections::HashMap;
use std::time::{Duration, Instant};

struct Thumb {
    used: u64,
    dots: [u8; 64],
}

struct ThumbCache {
    thumbs: HashMap<u64, Thumb>,
    room: usize,
    clock: u64,
    misses: u64,
}

impl ThumbCache {
    fn new(room: usize) -> Self {
        ThumbCache { thumbs: HashMap::with_capacity(room + 1), room, clock: 0, misses: 0 }
    }

    fn get(&mut self, picture: u64) -> u64 {
        self.clock += 1;
        if let Some(thumb) = self.thumbs.get_mut(&picture) {
            thumb.used = self.clock;
            return brightness(thumb);
        }
        self.misses += 1;
        if self.thumbs.len() >= self.room {
            self.forget_oldest();
        }
        let thumb = Thumb { used: self.clock, dots: render(picture) };
        let sum = brightness(&thumb);
        self.thumbs.insert(picture, thumb);
        sum
    }

    #[inline(never)]
    fn forget_oldest(&mut self) {
        let oldest = self.thumbs.iter().min_by_key(|(_, thumb)| thumb.used).map(|(picture, _)| *picture);
        if let Some(picture) = oldest {
            self.thumbs.remove(&picture);
        }
    }
}

fn brightness(thumb: &Thumb) -> u64 {
    thumb.dots.iter().map(|d| u64::from(*d)).sum()
}

#[inline(never)]
fn render(picture: u64) -> [u8; 64] {
    let mut dots = [0u32; 64];
    let mut x = picture | 1;
    for _ in 0..40 {
        for dot in dots.iter_mut() {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            *dot += (x & 255) as u32;
        }
    }
    dots.map(|d| (d / 40) as u8)
}

struct Guests(u64);

impl Guests {
    /// Most look at one of the popular dishes, one of eight at anything.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let r = self.0 >> 33;
        if r % 8 == 0 { r / 8 % 2_000_000 } else { r / 8 % 12_000 }
    }
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let mut cache = ThumbCache::new(20_000);
    let mut guests = Guests(5);
    let (mut shown, mut sum) = (0u64, 0u64);
    while Instant::now() < end {
        sum += cache.get(guests.next());
        shown += 1;
    }
    println!("{shown} shown, {} rendered, brightness {}", cache.misses, sum / shown);
}
