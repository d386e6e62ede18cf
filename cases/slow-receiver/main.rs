// Sends a backup to a storage service, which takes it more slowly than it is sent.
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn send_chunk(storage: &mut TcpStream, chunk: &[u8]) {
    storage.write_all(chunk).unwrap();
}

fn main() {
    let port: u16 = fs::read_to_string("ready").unwrap().trim().parse().unwrap();
    let mut storage = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let (start, mut sending, mut chunks) = (Instant::now(), Duration::ZERO, 0u64);
    let mut chunk = vec![0u8; 64 << 10];
    while start.elapsed() < Duration::from_secs(2) {
        for (n, byte) in chunk.iter_mut().enumerate() {
            *byte = (n as u64 * chunks) as u8;
        }
        let before = Instant::now();
        send_chunk(&mut storage, &chunk);
        sending += before.elapsed();
        chunks += 1;
    }
    let share = sending.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("share {share:.3}\nchunks {chunks}\n")).unwrap();
}
