//! Reads the positions of trams from a server: lines of text, over one connection.
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[inline(never)]
fn read_line(server: &mut TcpStream) -> Vec<u8> {
    let (mut line, mut letter) = (Vec::new(), [0]);
    while server.read(&mut letter).unwrap() == 1 && letter[0] != b'\n' {
        line.push(letter[0]);
    }
    line
}

fn ask_positions(server: &mut TcpStream, trams: usize) -> usize {
    server.write_all(format!("positions {trams}\n").as_bytes()).unwrap();
    (0..trams).map(|_| read_line(server).len()).sum()
}

fn main() {
    let port: u16 = std::fs::read_to_string("port").unwrap().trim().parse().unwrap();
    let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let (start, mut letters, mut asked) = (Instant::now(), 0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        letters += ask_positions(&mut server, 2_000);
        asked += 1;
    }
    let each = start.elapsed().as_nanos() / letters.max(1) as u128;
    std::fs::write("truth", format!("asked {asked}\nletters {letters}\nns_per_letter {each}\n")).unwrap();
}
