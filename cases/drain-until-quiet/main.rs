//! Reads electricity meters behind a gateway. Nobody told the author where a reply ends.
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

struct Gateway {
    stream: TcpStream,
    until_last_byte: Duration,
}

impl Gateway {
    fn connect() -> std::io::Result<Gateway> {
        let port: u16 = std::fs::read_to_string("ready")?.trim().parse().expect("a port");
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_millis(120)))?;
        Ok(Gateway { stream, until_last_byte: Duration::ZERO })
    }

    fn read_reply(&mut self) -> std::io::Result<Vec<u8>> {
        let (mut reply, mut chunk, start) = (Vec::new(), [0; 1024], Instant::now());
        let mut last_byte = start;
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => {
                    reply.extend_from_slice(&chunk[..count]);
                    last_byte = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        self.until_last_byte += last_byte - start;
        Ok(reply)
    }

    fn read_meter(&mut self, number: u32) -> std::io::Result<u64> {
        writeln!(self.stream, "READ {number}")?;
        let reply = self.read_reply()?;
        let text = String::from_utf8_lossy(&reply);
        Ok(text.split_whitespace().nth(1).and_then(|value| value.parse().ok()).unwrap_or(0))
    }
}

fn main() -> std::io::Result<()> {
    let mut gateway = Gateway::connect()?;
    let (start, mut meters, mut reading, mut sum) = (Instant::now(), 0, Duration::ZERO, 0);
    while start.elapsed() < Duration::from_millis(1900) {
        let before = Instant::now();
        sum += gateway.read_meter(meters)?;
        reading += before.elapsed();
        meters += 1;
    }
    let took = start.elapsed().as_secs_f64();
    let arrived = gateway.until_last_byte.as_secs_f64();
    std::fs::write("truth", format!(
        "share {:.3}\nuntil_last_byte {:.4}\nmeters {meters}\nsum {sum}\n",
        (reading.as_secs_f64() - arrived) / took, arrived / took))
}
