//! A client of NFS version 3 (RFC 1813), as much of it as the cases need: one call at a time, each
//! waited for.
//!
//! ```text
//! connect:  MNT, on a connection to the mount program
//! open:     LOOKUP, ACCESS      there is no close
//! create:   CREATE, guarded: it fails where the file is there
//! ```
//!
//! It needs no port mapper, since the ports are given, and caches nothing but the directory's handle,
//! so that the number of round trips of every operation is known.

mod request;
mod status;

#[cfg(test)]
mod tests;

use crate::client::{MOST_CONTENT, MOST_PARTS, Remote};
use crate::fault::Fault;
use crate::wire::{Channel, Framing, Reader, Stream};
use request::{Procedure, Request};
use status::refused;

/// Bytes that a read or a write moves at most, and a listing asks for.
const PIECE: u32 = 64 << 10;

/// Bytes of a handle at most.
const MOST_HANDLE: usize = 64;

/// Bytes of the attributes of a file.
const ATTRIBUTES: usize = 84;

/// A handle of a file or directory.
type Handle = Vec<u8>;

/// One connection to one program.
struct Caller<'a> {
    channel: Channel<'a>,
    request: Request,
    next: u32,
}

impl<'a> Caller<'a> {
    fn new(stream: Box<dyn Stream + 'a>) -> Self {
        Self {
            channel: Channel::new(stream, Framing::Records),
            request: Request::new(),
            next: 1,
        }
    }

    /// Begins a call.
    fn begin(&mut self, procedure: Procedure) -> &mut Request {
        self.request.call(self.next, procedure);
        &mut self.request
    }

    /// Sends the call and receives its answer, which must be a success; returns what follows the
    /// status.
    fn call(&mut self, procedure: Procedure) -> Result<Reader<'_>, Fault> {
        let name = procedure.name;
        self.channel.send(&mut self.request.bytes)?;
        self.channel.receive(name)?;
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let mut answer = Reader::new(self.channel.message(), name);
        if (answer.u32_be()?, answer.u32_be()?) != (id, 1) {
            return Err(answer.damage("it answers another call"));
        }
        if answer.u32_be()? != 0 {
            return Err(answer.damage("the call was denied"));
        }
        answer.u32_be()?;
        skip_opaque(&mut answer)?;
        if answer.u32_be()? != 0 {
            return Err(answer.damage("the call was not understood"));
        }
        match answer.u32_be()? {
            0 => Ok(answer),
            other => Err(refused(name, other)),
        }
    }
}

fn skip_opaque(answer: &mut Reader<'_>) -> Result<(), Fault> {
    opaque(answer).map(|_| ())
}

fn opaque<'a>(answer: &mut Reader<'a>) -> Result<&'a [u8], Fault> {
    let length = answer.length_be()?;
    let bytes = answer.take(length)?;
    answer.take(length.next_multiple_of(4) - length)?;
    Ok(bytes)
}

fn handle(answer: &mut Reader<'_>) -> Result<Handle, Fault> {
    let bytes = opaque(answer)?;
    if bytes.is_empty() || bytes.len() > MOST_HANDLE {
        return Err(answer.damage("a handle of an odd length"));
    }
    Ok(bytes.to_vec())
}

/// Reads attributes that may be there; returns the size.
fn attributes(answer: &mut Reader<'_>) -> Result<Option<u64>, Fault> {
    if answer.u32_be()? == 0 {
        return Ok(None);
    }
    let bytes = answer.take(ATTRIBUTES)?;
    let size = bytes.get(20..).and_then(|rest| rest.first_chunk());
    Ok(size.map(|size| u64::from_be_bytes(*size)))
}

/// Where an export begins.
pub(crate) struct Root {
    handle: Handle,
    round_trips: u64,
}

/// Mounts `export` through the mount program at the other end of `stream`.
pub(crate) fn mount(stream: Box<dyn Stream + '_>, export: &str) -> Result<Root, Fault> {
    let mut caller = Caller::new(stream);
    caller.begin(request::MNT).opaque(export.as_bytes());
    Ok(Root {
        handle: handle(&mut caller.call(request::MNT)?)?,
        round_trips: caller.channel.sent,
    })
}

/// A connection to an export.
pub(crate) struct Nfs<'a> {
    caller: Caller<'a>,
    root: Handle,
    directory: Handle,
    /// Round trips of mounting.
    before: u64,
}

impl<'a> Nfs<'a> {
    /// Talks to the server at the other end of `stream` about the export with this root.
    pub(crate) fn connect(stream: Box<dyn Stream + 'a>, root: Root) -> Self {
        Self {
            caller: Caller::new(stream),
            directory: root.handle.clone(),
            root: root.handle,
            before: root.round_trips,
        }
    }

    /// Returns the handle of a file, and its size where the answer has it.
    fn lookup(&mut self, name: &str) -> Result<(Handle, Option<u64>), Fault> {
        let call = self.caller.begin(request::LOOKUP);
        call.entry(&self.directory, name);
        let mut answer = self.caller.call(request::LOOKUP)?;
        let file = handle(&mut answer)?;
        Ok((file, attributes(&mut answer)?))
    }

    /// Opens a file: its name is looked up, and whether it may be read.
    fn opened(&mut self, name: &str) -> Result<(Handle, Option<u64>), Fault> {
        const READ: u32 = 1;
        let found = self.lookup(name)?;
        let call = self.caller.begin(request::ACCESS);
        call.opaque(&found.0);
        call.u32(READ);
        let mut answer = self.caller.call(request::ACCESS)?;
        attributes(&mut answer)?;
        if answer.u32_be()? & READ == 0 {
            return Err(refused(request::ACCESS.name, 13));
        }
        Ok(found)
    }

    /// Makes something new; returns its handle, where the answer has it.
    fn made(&mut self, procedure: Procedure, name: &str) -> Result<Option<Handle>, Fault> {
        const GUARDED: u32 = 1;
        let call = self.caller.begin(procedure);
        call.entry(&self.directory, name);
        if procedure.name == request::CREATE.name {
            call.u32(GUARDED);
            call.mode(0o644);
        } else {
            call.mode(0o755);
        }
        let mut answer = self.caller.call(procedure)?;
        match answer.u32_be()? {
            0 => Ok(None),
            _ => handle(&mut answer).map(Some),
        }
    }

    /// Adds what is at `offset` to `to`; returns how many bytes that were and whether it is the end.
    fn piece(
        &mut self,
        file: &[u8],
        offset: u64,
        most: u32,
        to: &mut Vec<u8>,
    ) -> Result<(usize, bool), Fault> {
        let call = self.caller.begin(request::READ);
        call.opaque(file);
        call.u64(offset);
        call.u32(most);
        let mut answer = self.caller.call(request::READ)?;
        attributes(&mut answer)?;
        let count = answer.length_be()?;
        let end = answer.u32_be()? != 0;
        let bytes = opaque(&mut answer)?;
        if bytes.len() != count || count > usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(answer.damage("another number of bytes than was said or asked for"));
        }
        to.extend_from_slice(bytes);
        Ok((count, end))
    }

    /// Writes as much of `part` as the server takes; returns how many bytes that were.
    fn put(&mut self, file: &[u8], offset: u64, part: &[u8]) -> Result<usize, Fault> {
        let call = self.caller.begin(request::WRITE);
        call.opaque(file);
        call.u64(offset);
        call.u32(u32::try_from(part.len()).unwrap_or(0));
        // The server may keep it in memory until COMMIT.
        call.u32(0);
        call.opaque(part);
        let mut answer = self.caller.call(request::WRITE)?;
        // Size and times before, attributes after.
        if answer.u32_be()? != 0 {
            answer.take(24)?;
        }
        attributes(&mut answer)?;
        match answer.length_be()? {
            written if written > 0 && written <= part.len() => Ok(written),
            _ => Err(answer.damage("nothing was written, or more than there is")),
        }
    }
}

/// A part of a listing.
struct Part {
    entries: u32,
    cookie: u64,
    verifier: u64,
    end: bool,
}

/// Counts the entries of a part of a listing but `.` and `..`.
fn counted(answer: &mut Reader<'_>, before: u64) -> Result<Part, Fault> {
    attributes(answer)?;
    let verifier = answer.u64_be()?;
    let (mut entries, mut cookie) = (0, before);
    while answer.u32_be()? != 0 {
        answer.u64_be()?;
        let name = opaque(answer)?;
        entries += u32::from(name != b"." && name != b"..");
        cookie = answer.u64_be()?;
    }
    let end = answer.u32_be()? != 0;
    if !end && cookie == before {
        return Err(answer.damage("a part of a listing without entries"));
    }
    Ok(Part {
        entries,
        cookie,
        verifier,
        end,
    })
}

impl Remote for Nfs<'_> {
    fn enter(&mut self, directory: &str, make: bool) -> Result<(), Fault> {
        self.directory.clone_from(&self.root);
        let made = if make {
            self.made(request::MKDIR, directory)?
        } else {
            None
        };
        self.directory = match made {
            Some(made) => made,
            None => self.lookup(directory)?.0,
        };
        Ok(())
    }

    fn create(&mut self, name: &str) -> Result<(), Fault> {
        self.made(request::CREATE, name).map(|_| ())
    }

    fn open(&mut self, name: &str) -> Result<(), Fault> {
        self.opened(name).map(|_| ())
    }

    fn read(&mut self, name: &str, offset: u64, most: u32, to: &mut Vec<u8>) -> Result<(), Fault> {
        let (file, _) = self.opened(name)?;
        self.piece(&file, offset, most.min(PIECE), to).map(|_| ())
    }

    fn read_all(&mut self, name: &str, to: &mut Vec<u8>) -> Result<(), Fault> {
        let (file, _) = self.opened(name)?;
        let mut offset = 0;
        while offset < MOST_CONTENT {
            let (got, end) = self.piece(&file, offset, PIECE, to)?;
            if end || got == 0 {
                return Ok(());
            }
            offset += u64::try_from(got).unwrap_or(0);
        }
        Err(Reader::new(&[], request::READ.name).damage("a file that does not end"))
    }

    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Fault> {
        let file = match self.made(request::CREATE, name)? {
            Some(file) => file,
            None => self.lookup(name)?.0,
        };
        let piece = usize::try_from(PIECE).unwrap_or(4096);
        let mut at = 0;
        while let Some(part) = content.get(at..).and_then(|rest| rest.chunks(piece).next()) {
            let offset = u64::try_from(at).unwrap_or(u64::MAX);
            at += self.put(&file, offset, part)?;
        }
        let call = self.caller.begin(request::COMMIT);
        call.opaque(&file);
        call.u64(0);
        call.u32(0);
        self.caller.call(request::COMMIT).map(|_| ())
    }

    fn stat(&mut self, name: &str) -> Result<u64, Fault> {
        let (file, size) = self.lookup(name)?;
        if let Some(size) = size {
            return Ok(size);
        }
        self.caller.begin(request::GETATTR).opaque(&file);
        let mut answer = self.caller.call(request::GETATTR)?;
        answer.take(20)?;
        answer.u64_be()
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Fault> {
        let call = self.caller.begin(request::RENAME);
        call.entry(&self.directory, from);
        call.entry(&self.directory, to);
        self.caller.call(request::RENAME).map(|_| ())
    }

    fn remove(&mut self, name: &str) -> Result<(), Fault> {
        let call = self.caller.begin(request::REMOVE);
        call.entry(&self.directory, name);
        self.caller.call(request::REMOVE).map(|_| ())
    }

    fn list(&mut self) -> Result<u32, Fault> {
        let (mut cookie, mut verifier, mut count) = (0, 0, 0_u32);
        for _ in 0..MOST_PARTS {
            let call = self.caller.begin(request::READDIR);
            call.opaque(&self.directory);
            call.u64(cookie);
            call.u64(verifier);
            call.u32(PIECE);
            let mut answer = self.caller.call(request::READDIR)?;
            let part = counted(&mut answer, cookie)?;
            count = count.saturating_add(part.entries);
            (cookie, verifier) = (part.cookie, part.verifier);
            if part.end {
                return Ok(count);
            }
        }
        Err(Reader::new(&[], request::READDIR.name).damage("a listing that does not end"))
    }

    fn round_trips(&self) -> u64 {
        self.before + self.caller.channel.sent
    }

    fn protocol(&self) -> String {
        "NFS 3".to_owned()
    }
}
