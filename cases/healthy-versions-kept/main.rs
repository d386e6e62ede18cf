//! A register of parcels of land whose old versions stay readable: the register is cut into pages, and a
//! change copies its page only, if somebody still has it.

use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Default)]
struct Parcel {
    owner: u32,
    square_metres: u32,
    changes: u32,
}

type Page = Arc<Vec<Parcel>>;
const PAGE: usize = 64;

#[derive(Clone)]
struct Register {
    pages: Arc<Vec<Page>>,
}

impl Register {
    fn new(parcels: usize) -> Register {
        let pages = (0..parcels.div_ceil(PAGE)).map(|_| Arc::new(vec![Parcel::default(); PAGE])).collect();
        Register { pages: Arc::new(pages) }
    }

    fn sell(&mut self, parcel: usize, owner: u32) {
        let pages = Arc::make_mut(&mut self.pages);
        let entry = &mut Arc::make_mut(&mut pages[parcel / PAGE])[parcel % PAGE];
        entry.owner = owner;
        entry.square_metres = 300 + owner % 4000;
        entry.changes += 1;
    }

    fn tax(&self, rate: f64) -> f64 {
        let mut total = 0.0;
        for page in self.pages.iter() {
            for parcel in page.iter() {
                let value = f64::from(parcel.square_metres) * (1.0 + f64::from(parcel.changes)).ln();
                total += value.sqrt() * rate;
            }
        }
        total
    }
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let mut register = Register::new(40_000);
    let mut years: Vec<Register> = Vec::new();
    let mut random = 4711u64;
    let (mut sales, mut taxes) = (0u64, 0.0);
    while Instant::now() < end {
        if years.len() == 12 {
            years.remove(0);
        }
        years.push(register.clone());
        for _ in 0..2_000 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            register.sell((random >> 33) as usize % 40_000, (random >> 12) as u32 % 9_000);
            sales += 1;
        }
        for (age, year) in years.iter().enumerate() {
            taxes += year.tax(0.01 / (age + 1) as f64);
        }
    }
    println!("{sales} sales, {taxes:.0} in taxes");
}
