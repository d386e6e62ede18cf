//! A ticket machine: asks the booking service of the railway for a seat, for each passenger.
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

struct Booking {
    line: BufReader<TcpStream>,
    waited: Duration,
}

impl Booking {
    fn connect(port: u16) -> std::io::Result<Booking> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        Ok(Booking { line: BufReader::new(stream), waited: Duration::ZERO })
    }

    #[inline(never)]
    fn ask_seat(&mut self, train: u32, passenger: u32) -> std::io::Result<u32> {
        let before = Instant::now();
        self.line.get_mut().write_all(format!("seat {train} {passenger}\n").as_bytes())?;
        let mut answer = String::new();
        self.line.read_line(&mut answer)?;
        self.waited += before.elapsed();
        Ok(answer.trim().parse().unwrap_or(0))
    }
}

fn print_ticket(train: u32, seat: u32, passenger: u32) -> String {
    format!("TICKET train {train:05} seat {seat:03} no {passenger:08}")
}

fn main() {
    let port = std::fs::read_to_string("port").unwrap().trim().parse().unwrap();
    let mut booking = Booking::connect(port).unwrap();
    let (start, mut passengers, mut letters) = (Instant::now(), 0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        let train = 100 + passengers % 40;
        let seat = booking.ask_seat(train, passengers).unwrap();
        letters += print_ticket(train, seat, passengers).len();
        passengers += 1;
        std::thread::sleep(Duration::from_millis(3));
    }
    let wall = start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("waited {:.3}\npassengers {passengers}\nletters {letters}\n", booking.waited.as_secs_f64() / wall)).unwrap();
}
