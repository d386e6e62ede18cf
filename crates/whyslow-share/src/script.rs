//! A server that says what a script prescribes, whatever it is asked: for tests and fuzzing.

use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use crate::client::Remote;
use crate::fault::Fault;
use crate::nfs::{self, Nfs};
use crate::smb::{Dialect, Smb};
use crate::wire::Stream;

/// What was sent to it.
pub(crate) type Heard = Arc<Mutex<Vec<u8>>>;

/// Answers ready to be read, one after another.
pub(crate) struct Script {
    answers: io::Cursor<Vec<u8>>,
    heard: Heard,
}

impl Script {
    pub(crate) fn new(answers: Vec<u8>) -> (Self, Heard) {
        let heard = Heard::default();
        let script = Self {
            answers: io::Cursor::new(answers),
            heard: Arc::clone(&heard),
        };
        (script, heard)
    }
}

impl Stream for Script {
    fn send(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if let Ok(mut heard) = self.heard.lock() {
            heard.extend(bytes);
        }
        Ok(())
    }

    fn receive(&mut self, to: &mut [u8]) -> Result<usize, Fault> {
        // In small pieces, as a network may.
        let most = to.len().min(57);
        let got = self.answers.read(to.get_mut(..most).unwrap_or_default());
        match got.map_err(Fault::Broken)? {
            0 => Err(Fault::Closed),
            got => Ok(got),
        }
    }
}

/// Lets a client of SMB do everything with a server that answers `answers`; returns how many bytes and
/// entries it got, at most as many as there are bytes.
pub fn smb(answers: &[u8]) -> u64 {
    let (script, _) = Script::new(answers.to_vec());
    let client = Smb::connect(Box::new(script), &Dialect::ALL, r"\\127.0.0.1\lab", [7; 16]);
    client.map_or(0, |mut client| everything(&mut client))
}

/// The same with NFS, where the mount program answers `mount`.
pub fn nfs(mount: &[u8], answers: &[u8]) -> u64 {
    let (first, second) = (Script::new(mount.to_vec()), Script::new(answers.to_vec()));
    let root = nfs::mount(Box::new(first.0), "/tmp/lab");
    root.map_or(0, |root| {
        everything(&mut Nfs::connect(Box::new(second.0), root))
    })
}

/// Does everything once, whatever the result.
fn everything(remote: &mut dyn Remote) -> u64 {
    let mut read = Vec::new();
    let _entered = remote.enter("place", true);
    let _made = remote.create("new");
    let _written = remote.write("full", &[7; 300]);
    let _all = remote.read_all("full", &mut read);
    let _some = remote.read("full", 100, 100, &mut read);
    let _size = remote.stat("full");
    let _opened = remote.open("new");
    let _renamed = remote.rename("new", "renamed");
    let listed = remote.list().unwrap_or(0);
    let _removed = remote.remove("renamed");
    u64::from(listed) + u64::try_from(read.len()).unwrap_or(u64::MAX)
}

/// Calls `with` for `bytes` with one place changed, all places in turn, and for every beginning.
#[cfg(test)]
pub(crate) fn mutated(bytes: &[u8], mut with: impl FnMut(Vec<u8>)) {
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.to_vec();
            if let Some(byte) = changed.get_mut(at) {
                *byte = value;
            }
            with(changed);
        }
        with(bytes.get(..at).unwrap_or_default().to_vec());
    }
}
