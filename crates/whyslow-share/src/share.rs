//! Which share: the protocol, how it is spoken, how far away it is; and how to get there.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::client::Remote;
use crate::fault::Fault;
use crate::line::Line;
use crate::nfs::{self, Nfs};
use crate::smb::{Dialect, Smb};
use crate::wire::Stream;

/// A protocol of network file systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// SMB 2 and 3, served by Samba.
    Smb,
    /// NFS 3, served by NFS-Ganesha.
    Nfs,
}

impl Protocol {
    /// Returns what users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smb => "smb",
            Self::Nfs => "nfs",
        }
    }
}

/// A share to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The protocol.
    pub protocol: Protocol,
    /// The newest dialect of the server; `None` for all that there are. SMB only.
    pub dialect: Option<Dialect>,
    /// Names differ by their case, so that the server need not list a directory to look for one
    /// that differs only by that. SMB only; NFS always.
    pub case_sensitive: bool,
    /// Time that every round trip takes more.
    pub rtt: Duration,
}

/// How a client gets to a share; as text it is a word for another process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The protocol.
    pub protocol: Protocol,
    /// The server's port.
    pub port: u16,
    /// The port of the mount program; NFS only.
    pub mount: u16,
    /// The dialects the client offers; SMB only.
    pub offer: Vec<Dialect>,
    /// Round trips until a TCP connection is there; NFS has two.
    pub greetings: u32,
    /// How long a silent server is waited for.
    pub patience: Duration,
}

/// The name of the share on its server.
pub(crate) const SHARE: &str = "lab";

/// Where the share is in the mount namespace of its server.
pub(crate) const EXPORT: &str = "/tmp/lab";

impl Access {
    /// Connects; returns the client, which works until `stop` is up.
    ///
    /// # Errors
    /// When the server does not answer, or refuses.
    pub fn connect<'a>(&self, stop: &'a AtomicBool) -> Result<Box<dyn Remote + 'a>, Fault> {
        Ok(match self.protocol {
            Protocol::Smb => {
                let (stream, path) = (
                    self.line(self.port, stop)?,
                    format!("\\\\127.0.0.1\\{SHARE}"),
                );
                Box::new(Smb::connect(stream, &self.offer, &path, own_number())?)
            }
            Protocol::Nfs => {
                let root = nfs::mount(self.line(self.mount, stop)?, EXPORT)?;
                Box::new(Nfs::connect(self.line(self.port, stop)?, root))
            }
        })
    }

    fn line<'a>(&self, port: u16, stop: &'a AtomicBool) -> Result<Box<dyn Stream + 'a>, Fault> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Ok(Box::new(Line::to(address, self.patience, stop)?))
    }

    /// Returns the access that `text` describes, and the directory; see [`Display`](fmt::Display).
    pub fn parse(text: &str) -> Option<(Self, &str)> {
        let mut words = text.strip_prefix(PREFIX)?.split(':');
        let protocol = match words.next()? {
            "smb" => Protocol::Smb,
            "nfs" => Protocol::Nfs,
            _ => return None,
        };
        let (port, mount) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let patience = Duration::from_millis(words.next()?.parse().ok()?);
        let offer = words.next()?.split_terminator('+').map(Dialect::named);
        let offer: Option<Vec<_>> = offer.collect();
        let access = Self {
            protocol,
            port,
            mount,
            offer: offer?,
            greetings: greetings(protocol),
            patience,
        };
        Some((access, words.next()?))
    }
}

/// What the text begins with, which no path of a place does.
const PREFIX: &str = "share:";

/// Returns the TCP connections a client makes.
pub(crate) fn greetings(protocol: Protocol) -> u32 {
    match protocol {
        Protocol::Smb => 1,
        Protocol::Nfs => 2,
    }
}

impl fmt::Display for Access {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, patience) = (self.protocol.name(), self.patience.as_millis());
        write!(
            out,
            "{PREFIX}{name}:{}:{}:{patience}:",
            self.port, self.mount
        )?;
        for dialect in &self.offer {
            write!(out, "{}+", dialect.name())?;
        }
        Ok(())
    }
}

/// Returns a number that no other connection of this machine has.
fn own_number() -> [u8; 16] {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let process = u64::from(std::process::id()) << 32;
    let mut bytes = [0; 16];
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos() & u128::from(u64::MAX));
    let now = u64::try_from(now).unwrap_or(0);
    let parts = now.to_le_bytes().into_iter();
    for (byte, part) in bytes
        .iter_mut()
        .zip(parts.chain((process | number).to_le_bytes()))
    {
        *byte = part;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_understands_where_the_share_is() {
        let smb = Access {
            protocol: Protocol::Smb,
            port: 445,
            mount: 0,
            offer: vec![Dialect::V202, Dialect::V311],
            greetings: 1,
            patience: Duration::from_secs(10),
        };
        let nfs = Access {
            protocol: Protocol::Nfs,
            port: 40_001,
            mount: 40_002,
            offer: Vec::new(),
            greetings: 2,
            patience: Duration::from_secs(10),
        };
        for access in [smb, nfs] {
            let text = format!("{access}:place-3");
            assert_eq!(Access::parse(&text), Some((access, "place-3")), "{text}");
        }
        for odd in [
            "/tmp/x",
            "share:",
            "share:smb:1:2:3:9.9+:x",
            "share:ftp:1:2:3::x",
        ] {
            assert_eq!(Access::parse(odd), None, "{odd}");
        }
        assert_ne!(own_number(), own_number());
    }
}
