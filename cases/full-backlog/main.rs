// Nine customers buy two tickets each at the same time, each by a connection of its own.
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

fn open_connection(port: u16) -> TcpStream {
    TcpStream::connect(("127.0.0.1", port)).unwrap()
}

/// How long it took to connect, and to get the ticket then.
fn ask_for_ticket(port: u16) -> (Duration, Duration) {
    let before = Instant::now();
    let mut server = open_connection(port);
    let connected = Instant::now();
    server.write_all(b"one ticket").unwrap();
    let mut ticket = Vec::new();
    server.read_to_end(&mut ticket).unwrap();
    assert_eq!(ticket, b"ticket");
    (connected - before, connected.elapsed())
}

fn main() {
    let port = fs::read_to_string("port").unwrap().trim().parse().unwrap();
    let start = Instant::now();
    let customer = move |n: usize| {
        let thread = thread::Builder::new().name(format!("customer-{n}"));
        thread.spawn(move || [ask_for_ticket(port), ask_for_ticket(port)]).unwrap()
    };
    let customers: Vec<_> = (0..9).map(customer).collect();
    let tickets: Vec<_> = customers.into_iter().flat_map(|customer| customer.join().unwrap()).collect();
    let slow = tickets.iter().filter(|(connecting, _)| connecting.as_secs_f64() > 0.9).count();
    let longest = |times: &mut dyn Iterator<Item = Duration>| times.max().unwrap_or_default().as_secs_f64();
    let text = format!("wall {:.3}\nslow_connects {slow}\nlongest_connect {:.3}\nlongest_ask {:.3}\n",
        start.elapsed().as_secs_f64(),
        longest(&mut tickets.iter().map(|ticket| ticket.0)),
        longest(&mut tickets.iter().map(|ticket| ticket.1)));
    fs::write("truth", text).unwrap();
}
