//! Five shops sell in many currencies. They share a table of rates, which is filled from a service.
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const SHOPS: u32 = 5;

struct Rates {
    known: HashMap<String, (Instant, u32)>,
    service: BufReader<TcpStream>,
    asked: Duration,
}

impl Rates {
    #[inline(never)]
    fn ask_service(&mut self, currency: &str) -> u32 {
        let before = Instant::now();
        self.service.get_mut().write_all(format!("{currency}\n").as_bytes()).unwrap();
        let mut line = String::new();
        self.service.read_line(&mut line).unwrap();
        self.asked += before.elapsed();
        line.trim().parse().unwrap()
    }

    /// A rate is good for a tenth of a second.
    #[inline(never)]
    fn rate_for(&mut self, currency: &str) -> u32 {
        match self.known.get(currency) {
            Some((when, rate)) if when.elapsed() < Duration::from_millis(100) => *rate,
            _ => {
                let rate = self.ask_service(currency);
                self.known.insert(currency.to_owned(), (Instant::now(), rate));
                rate
            }
        }
    }
}

#[inline(never)]
fn sell(rates: &Mutex<Rates>, currency: &str, waited: &mut Duration) -> u32 {
    let before = Instant::now();
    let mut rates = rates.lock().unwrap();
    *waited += before.elapsed();
    rates.rate_for(currency) * 1999 / 1000
}

fn keep_shop(rates: &Mutex<Rates>, shop: u32, start: Instant) -> (Duration, u32) {
    let mut waited = Duration::ZERO;
    let mut sales = 0;
    while start.elapsed() < Duration::from_secs(2) {
        let currency = format!("C{}", (sales * 7 + shop * 11) % 60);
        std::hint::black_box(sell(rates, &currency, &mut waited));
        sales += 1;
    }
    (waited, sales)
}

fn main() {
    let port = std::fs::read_to_string("port").unwrap().trim().parse::<u16>().unwrap();
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_nodelay(true).unwrap();
    let rates = Mutex::new(Rates { known: HashMap::new(), service: BufReader::new(stream), asked: Duration::ZERO });
    let start = Instant::now();
    let results: Vec<_> = std::thread::scope(|scope| {
        let shops: Vec<_> = (0..SHOPS).map(|shop| scope.spawn({
            let rates = &rates;
            move || keep_shop(rates, shop, start)
        })).collect();
        shops.into_iter().map(|shop| shop.join().unwrap()).collect()
    });
    let all = start.elapsed().as_secs_f64() * f64::from(SHOPS);
    let waited: f64 = results.iter().map(|(waited, _)| waited.as_secs_f64()).sum();
    let sales: u32 = results.iter().map(|(_, sales)| sales).sum();
    let asked = rates.into_inner().unwrap().asked.as_secs_f64();
    std::fs::write("truth", format!("waited_for_mutex {:.3}\nasked {:.3}\nsales {sales}\n", waited / all, asked / all)).unwrap();
}
