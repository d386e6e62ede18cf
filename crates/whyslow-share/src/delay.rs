//! A longer way to a server: whatever passes arrives half a round-trip time later.
//!
//! ```text
//! client ──► reader ─(arrived + rtt/2, bytes)─► writer ──► server       and the same back
//! ```
//!
//! Every piece is sent on at its own moment, in order. The first of a new connection takes a whole
//! round trip more: the handshake would have taken that time.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::thread::set_current_timer_slack;

/// Pieces that may be on their way at once in one direction.
const PIECES: usize = 4096;

/// A port that leads to a server, the long way.
#[derive(Debug)]
pub(crate) struct Delay {
    listener: TcpListener,
    port: u16,
}

impl Delay {
    /// Returns a port that leads to `server` with `rtt` more per round trip.
    pub(crate) fn start(server: SocketAddr, rtt: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let accepting = listener.try_clone()?;
        thread::spawn(move || {
            loop {
                match accepting.accept() {
                    // A server that is gone shows as a connection that ends.
                    Ok((client, _)) => drop(connect(client, server, Instant::now(), rtt)),
                    // The listener was shut down.
                    Err(error) if error.kind() == ErrorKind::InvalidInput => return,
                    // There may be room for another connection soon.
                    Err(_) => thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        Ok(Self { listener, port })
    }

    /// Returns the port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Delay {
    fn drop(&mut self) {
        let _closed = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
    }
}

/// Sets up both directions of a connection that was accepted at `arrived`.
fn connect(
    client: TcpStream,
    server: SocketAddr,
    arrived: Instant,
    rtt: Duration,
) -> io::Result<()> {
    let (client, server) = (Arc::new(client), Arc::new(TcpStream::connect(server)?));
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    let greeted = arrived + rtt;
    let half = rtt / 2;
    direction(Arc::clone(&client), Arc::clone(&server), greeted, half)?;
    direction(server, client, arrived, half)
}

/// Sends on what comes from `from`, `delay` later, as if nothing came before `earliest`.
fn direction(
    from: Arc<TcpStream>,
    to: Arc<TcpStream>,
    earliest: Instant,
    delay: Duration,
) -> io::Result<()> {
    let (pieces, due) = sync_channel(PIECES);
    thread::Builder::new().spawn(move || read(&from, &pieces, earliest, delay))?;
    thread::Builder::new().spawn(move || write(&to, &due))?;
    Ok(())
}

type Piece = (Instant, Vec<u8>);

fn read(mut from: &TcpStream, pieces: &SyncSender<Piece>, earliest: Instant, delay: Duration) {
    let mut buffer = vec![0; 64 << 10];
    // An error ends it as the end does: the writer passes it on.
    while let Ok(got @ 1..) = from.read(&mut buffer) {
        let due = Instant::now().max(earliest) + delay;
        let piece = buffer.get(..got).unwrap_or_default().to_vec();
        if pieces.send((due, piece)).is_err() {
            return;
        }
    }
}

fn write(mut to: &TcpStream, due: &Receiver<Piece>) {
    // Usually the system may wake a thread 50 µs late, to wake several at once.
    let _usual = set_current_timer_slack(NonZeroU64::new(1));
    while let Ok((at, piece)) = due.recv() {
        sleep_until(at);
        if to.write_all(&piece).is_err() {
            break;
        }
    }
    let _gone = to.shutdown(Shutdown::Both);
}

/// How long before its moment a writer stays awake: waking takes about half of that.
const AWAKE: Duration = Duration::from_micros(80);

fn sleep_until(at: Instant) {
    let left = at.saturating_duration_since(Instant::now());
    thread::sleep(left.saturating_sub(AWAKE));
    while Instant::now() < at {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that sends back what it gets; returns its address.
    fn echo() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut buffer = [0; 1024];
            while let Ok(got @ 1..) = stream.read(&mut buffer) {
                stream.write_all(&buffer[..got]).expect("still there");
            }
        });
        address
    }

    #[test]
    fn everything_arrives_in_order_and_never_too_early() {
        let rtt = Duration::from_millis(4);
        let delay = Delay::start(echo(), rtt).expect("a way");
        // The handshake counts from its beginning: a busy machine may pause between connecting and
        // writing, and the relay's clock continues meanwhile.
        let mut begin = Instant::now();
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, delay.port())).expect("there");
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("set");
        let mut least = Vec::new();
        for round in 0..8_u8 {
            let sent = [round; 100];
            stream.write_all(&sent).expect("sent");
            let mut got = [0; 100];
            stream.read_exact(&mut got).expect("received");
            assert_eq!(got, sent);
            least.push(begin.elapsed());
            begin = Instant::now();
        }
        // Greeting takes a round trip more.
        assert!(least[0] >= 2 * rtt, "{least:?}");
        assert!(least.iter().all(|one| *one >= rtt), "{least:?}");
        // Its end is passed on as well.
        stream.shutdown(Shutdown::Write).expect("shut");
        assert_eq!(stream.read(&mut [0; 1]).expect("an end"), 0);
        let port = delay.port();
        drop(delay);
        assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err());
    }
}
