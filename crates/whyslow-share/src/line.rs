//! A connection to a server that ends when the user asks, however silent the server is.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::fault::{Fault, timed_out};
use crate::wire::Stream;

/// How long is waited until the next look at whether the user asked to stop.
const SLICE: Duration = Duration::from_millis(100);

/// The same while connecting: a greeting that got lost is repeated after a second.
const GREETING: Duration = Duration::from_secs(1);

/// A TCP connection with patience.
pub(crate) struct Line<'a> {
    stream: TcpStream,
    patience: Duration,
    stop: &'a AtomicBool,
}

impl<'a> Line<'a> {
    /// Connects to `address`; a server may be silent as long as `patience`, or until `stop` is up.
    pub(crate) fn to(
        address: SocketAddr,
        patience: Duration,
        stop: &'a AtomicBool,
    ) -> Result<Self, Fault> {
        let connect = || TcpStream::connect_timeout(&address, GREETING);
        let stream = patiently(GREETING, patience, stop, connect)?.map_err(Fault::Unreachable)?;
        // A small message is not kept back until the one before it is acknowledged.
        let ready = stream
            .set_nodelay(true)
            .and_then(|()| stream.set_read_timeout(Some(SLICE)))
            .and_then(|()| stream.set_write_timeout(Some(SLICE)));
        ready.map_err(Fault::Unreachable)?;
        Ok(Self {
            stream,
            patience,
            stop,
        })
    }

    fn some(&self, mut pass: impl FnMut(&TcpStream) -> io::Result<usize>) -> Result<usize, Fault> {
        match patiently(SLICE, self.patience, self.stop, || pass(&self.stream))? {
            Ok(0) => Err(Fault::Closed),
            passed => passed.map_err(Fault::Broken),
        }
    }
}

/// Tries until it does not take longer than `slice`; returns what came of it.
fn patiently<T>(
    slice: Duration,
    patience: Duration,
    stop: &AtomicBool,
    mut attempt: impl FnMut() -> io::Result<T>,
) -> Result<io::Result<T>, Fault> {
    let mut waited = Duration::ZERO;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(Fault::Interrupted);
        }
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if timed_out(&error) => {
                waited += slice;
                if waited >= patience {
                    return Err(Fault::Silent(patience));
                }
            }
            done => return Ok(done),
        }
    }
}

impl Stream for Line<'_> {
    fn send(&mut self, mut bytes: &[u8]) -> Result<(), Fault> {
        while !bytes.is_empty() {
            let sent = self.some(|mut stream| stream.write(bytes))?;
            bytes = bytes.get(sent..).unwrap_or_default();
        }
        Ok(())
    }

    fn receive(&mut self, to: &mut [u8]) -> Result<usize, Fault> {
        self.some(|mut stream| stream.read(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;

    use rustix::io::Errno;

    fn silent() -> (TcpListener, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        (listener, address)
    }

    #[test]
    fn the_user_ends_waiting_for_a_silent_server() {
        let (_listener, address) = silent();
        let stop = AtomicBool::new(false);
        let patience = Duration::from_secs(20);
        let mut line = Line::to(address, patience, &stop).expect("connected");
        line.send(b"hello").expect("sent");
        let fault = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                stop.store(true, Ordering::Relaxed);
            });
            line.receive(&mut [0; 8]).expect_err("nothing comes")
        });
        assert!(matches!(fault, Fault::Interrupted), "{fault}");
        assert_eq!(fault.errno(), Errno::INTR);
        let fault = line.send(&[0; 8]).expect_err("stopped");
        assert!(matches!(fault, Fault::Interrupted), "{fault}");
        let fault = Line::to(address, patience, &stop).map(|_| ());
        assert!(matches!(fault, Err(Fault::Interrupted)), "{fault:?}");
    }

    #[test]
    fn patience_ends_and_says_so() {
        let (_listener, address) = silent();
        let stop = AtomicBool::new(false);
        let mut line = Line::to(address, 2 * SLICE, &stop).expect("connected");
        let fault = line.receive(&mut [0; 8]).expect_err("nothing comes");
        assert_eq!(fault.to_string(), "the server was silent for 200ms");
        assert_eq!(fault.errno(), Errno::TIMEDOUT);
        // Nobody takes this, and the system keeps only some of it.
        let fault = line.send(&vec![0; 64 << 20]).expect_err("nobody takes it");
        assert!(matches!(fault, Fault::Silent(_)), "{fault}");
    }
}
