//! Sends a newsletter: renders a mail for each subscriber and hands it to the mail relay.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

struct Subscriber {
    name: String,
    address: String,
}

struct Mail {
    to: String,
    text: String,
}

/// One conversation with the relay.
struct Session {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
}

impl Session {
    fn open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        let reader = BufReader::new(stream.try_clone()?);
        let mut session = Self { reader, stream };
        session.reply()?;
        session.command("HELO newsletter")?;
        Ok(session)
    }

    fn reply(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        match line.as_bytes().first() {
            Some(b'2' | b'3') => Ok(line),
            _ => Err(io::Error::other(line)),
        }
    }

    fn command(&mut self, text: &str) -> io::Result<String> {
        self.stream.write_all(format!("{text}\r\n").as_bytes())?;
        self.reply()
    }

    fn send(&mut self, mail: &Mail) -> io::Result<()> {
        self.command("MAIL FROM:<news@example.org>")?;
        self.command(&format!("RCPT TO:<{}>", mail.to))?;
        self.command("DATA")?;
        self.command(&format!("{}\r\n.", mail.text))?;
        Ok(())
    }
}

fn subscribers() -> Vec<Subscriber> {
    (0..2000)
        .map(|n| Subscriber {
            name: format!("Reader {n}"),
            address: format!("reader-{n}@example.org"),
        })
        .collect()
}

fn render(subscriber: &Subscriber, topics: &[String]) -> Mail {
    let mut text = format!("Dear {},\r\n", subscriber.name);
    for topic in topics {
        text.push_str("* ");
        text.push_str(topic);
        text.push_str("\r\n");
    }
    Mail { to: subscriber.address.clone(), text }
}

fn deliver(port: u16, mail: &Mail) -> io::Result<()> {
    let mut session = Session::open(port)?;
    session.send(mail)?;
    session.command("QUIT")?;
    Ok(())
}

fn main() -> io::Result<()> {
    let port = fs::read_to_string("ready")?.trim().parse().map_err(io::Error::other)?;
    let topics: Vec<_> = (0..60).map(|n| format!("Topic number {n} of the month")).collect();
    let start = Instant::now();
    let (mut sent, mut delivering) = (0_u32, Duration::ZERO);
    for subscriber in subscribers() {
        let mail = render(&subscriber, &topics);
        let before = Instant::now();
        deliver(port, &mail)?;
        delivering += before.elapsed();
        sent += 1;
        if start.elapsed() > Duration::from_millis(2200) {
            break;
        }
    }
    let share = delivering.as_secs_f64() / start.elapsed().as_secs_f64();
    let each = delivering.as_secs_f64() * 1000.0 / f64::from(sent);
    fs::write("truth", format!("sent {sent}\ndelivering {share:.3}\nms_each {each:.2}\n"))
}
