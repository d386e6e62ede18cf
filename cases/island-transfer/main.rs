//! Sends a chart to an island by datagrams: a window of them at a time, with a cumulative receipt.
use std::env;
use std::io::{self, Write};
use std::net::UdpSocket;
use std::time::{Duration, Instant};

const PART: usize = 1100;
const WINDOW: u32 = 24;
const PATIENCE: Duration = Duration::from_millis(60);

struct Sender {
    socket: UdpSocket,
    confirmed: u32,
    timeouts: u32,
    sent: u32,
    lost_time: Duration,
}

fn chart_part(number: u32, out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&number.to_le_bytes());
    let mut state = number.wrapping_mul(2654435761) | 1;
    while out.len() < PART {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        out.extend_from_slice(&state.to_le_bytes());
    }
}

impl Sender {
    fn send_window(&mut self) -> io::Result<u32> {
        let mut datagram = Vec::with_capacity(PART + 4);
        let to = self.confirmed + WINDOW;
        for number in self.confirmed..to {
            chart_part(number, &mut datagram);
            self.socket.send(&datagram)?;
            self.sent += 1;
        }
        Ok(to)
    }

    fn wait_for_receipts(&mut self, to: u32) -> io::Result<()> {
        let mut receipt = [0; 8];
        while self.confirmed < to {
            let t = Instant::now();
            match self.socket.recv(&mut receipt) {
                Ok(8) => {
                    let next = u32::from_le_bytes([receipt[0], receipt[1], receipt[2], receipt[3]]);
                    self.confirmed = self.confirmed.max(next);
                }
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    self.timeouts += 1;
                    self.lost_time += t.elapsed();
                    return Ok(());
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let port: u16 = std::fs::read_to_string("port")?.trim().parse().expect("a port");
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.connect(("127.0.0.1", port))?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let seconds: u64 = env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(2);
    let mut sender = Sender { socket, confirmed: 0, timeouts: 0, sent: 0, lost_time: Duration::ZERO };
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(seconds) {
        let to = sender.send_window()?;
        sender.wait_for_receipts(to)?;
    }
    let wall = start.elapsed().as_secs_f64();
    println!("{} parts arrived of {} sent, {} time-outs", sender.confirmed, sender.sent, sender.timeouts);
    writeln!(std::fs::File::create("truth")?, "share {:.3}", sender.lost_time.as_secs_f64() / wall)
}
