//! A client of SMB 2 and 3, as much of it as the cases need: one request at a time, each waited for.
//!
//! ```text
//! connect:  NEGOTIATE, SESSION_SETUP ×2 (anonymous), TREE_CONNECT
//! a file:   CREATE, then READ, WRITE or SET_INFO, then CLOSE
//! ```
//!
//! It offers exactly the dialects that were chosen, never signs or encrypts, and caches nothing, so that
//! the number of round trips of every operation is known. Written from MS-SMB2, MS-FSCC and MS-NLMP.

mod dialect;
mod ntlm;
mod request;
mod status;

#[cfg(test)]
mod tests;

use crate::client::{MOST_CONTENT, MOST_PARTS, Remote};
use crate::fault::Fault;
use crate::wire::{Channel, Framing, Reader, Stream};
use request::{Command, FileId, HEADER, Head, Opening, Request};
use status::refused;

pub use dialect::Dialect;

/// Bytes that a read, a write or a listing moves at most: what costs one credit.
const PIECE: u32 = 64 << 10;

/// Messages of the server's own, as the break of a lock, that are passed over before an answer.
const MOST_UNASKED: u32 = 1000;

/// A connection to a share.
pub(crate) struct Smb<'a> {
    channel: Channel<'a>,
    request: Request,
    dialect: Dialect,
    next: u64,
    credits: u32,
    tree: u32,
    session: u64,
    most: u32,
    directory: String,
}

impl<'a> Smb<'a> {
    /// Connects to the share `path` through `stream`; offers the dialects of `offer`. `client` is a
    /// number that no other connection has.
    pub(crate) fn connect(
        stream: Box<dyn Stream + 'a>,
        offer: &[Dialect],
        path: &str,
        client: [u8; 16],
    ) -> Result<Self, Fault> {
        let mut smb = Self {
            channel: Channel::new(stream, Framing::Smb),
            request: Request::new(),
            dialect: Dialect::V202,
            next: 0,
            credits: 1,
            tree: 0,
            session: 0,
            most: PIECE,
            directory: String::new(),
        };
        smb.negotiate(offer, client)?;
        smb.log_on()?;
        let head = smb.head(Command::TreeConnect);
        smb.request.tree_connect(head, path);
        smb.done(Command::TreeConnect)?;
        smb.tree = smb.field(Command::TreeConnect, 36)?.u32_le()?;
        Ok(smb)
    }

    /// Returns the dialect that the server chose.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn negotiate(&mut self, offer: &[Dialect], client: [u8; 16]) -> Result<(), Fault> {
        let head = self.head(Command::Negotiate);
        self.request.negotiate(head, offer, client);
        self.done(Command::Negotiate)?;
        let mut answer = self.field(Command::Negotiate, HEADER + 4)?;
        let chosen = Dialect::numbered(answer.u16_le()?);
        let chosen = chosen.filter(|dialect| offer.contains(dialect));
        let chosen = chosen.ok_or_else(|| answer.damage("a dialect that was not offered"))?;
        answer.seek(HEADER + 32)?;
        let most = PIECE.min(answer.u32_le()?).min(answer.u32_le()?);
        if most < 4096 {
            return Err(answer.damage("less than 4 KiB may be read or written"));
        }
        (self.dialect, self.most) = (chosen, most);
        Ok(())
    }

    fn log_on(&mut self) -> Result<(), Fault> {
        const SETUP: Command = Command::SessionSetup;
        let head = self.head(SETUP);
        self.request.session_setup(head, &ntlm::negotiate());
        let said = self.exchange(SETUP)?;
        if said != status::MORE_PROCESSING && said != status::SUCCESS {
            return Err(refused(SETUP.name(), said));
        }
        self.session = self.field(SETUP, 40)?.u64_le()?;
        if said == status::MORE_PROCESSING {
            let head = self.head(SETUP);
            self.request.session_setup(head, &ntlm::authenticate());
            self.done(SETUP)?;
        }
        Ok(())
    }

    fn head(&self, command: Command) -> Head {
        Head {
            command,
            charge: u16::from(self.dialect > Dialect::V202),
            message: self.next,
            tree: self.tree,
            session: self.session,
        }
    }

    /// Sends the request and receives its answer, which must be a success.
    fn done(&mut self, command: Command) -> Result<(), Fault> {
        match self.exchange(command)? {
            status::SUCCESS => Ok(()),
            other => Err(refused(command.name(), other)),
        }
    }

    /// Sends the request and receives its answer; returns the status.
    fn exchange(&mut self, command: Command) -> Result<u32, Fault> {
        let name = command.name();
        self.channel.send(&mut self.request.bytes)?;
        let message = self.next;
        self.next += 1;
        self.credits = self.credits.saturating_sub(1);
        for _ in 0..MOST_UNASKED {
            self.channel.receive(name)?;
            let mut answer = Reader::new(self.channel.message(), name);
            if answer.array::<4>()? != *b"\xfeSMB" {
                return Err(answer.damage("it is not SMB 2 in clear text"));
            }
            answer.seek(8)?;
            let status = answer.u32_le()?;
            let answered = answer.u16_le()?;
            self.credits = self.credits.saturating_add(answer.u16_le()?.into());
            answer.seek(24)?;
            let id = answer.u64_le()?;
            if id == u64::MAX || (id == message && status == status::PENDING) {
                continue;
            }
            if id != message || answered != command as u16 {
                return Err(answer.damage("it answers another request"));
            }
            answer.seek(HEADER)?;
            if self.credits == 0 {
                return Err(answer.damage("no credit is left for another request"));
            }
            return Ok(status);
        }
        let answer = Reader::new(self.channel.message(), name);
        Err(answer.damage("too many unsolicited messages"))
    }

    /// Returns the last answer from `offset` on.
    fn field(&self, command: Command, offset: usize) -> Result<Reader<'_>, Fault> {
        let mut answer = Reader::new(self.channel.message(), command.name());
        answer.seek(offset)?;
        Ok(answer)
    }

    /// Opens a file; returns its handle and size.
    fn opened(&mut self, opening: Opening, name: &str) -> Result<(FileId, u64), Fault> {
        let head = self.head(Command::Create);
        self.request.create(head, opening, &self.directory, name);
        self.done(Command::Create)?;
        let mut answer = self.field(Command::Create, HEADER + 48)?;
        let size = answer.u64_le()?;
        answer.seek(HEADER + 64)?;
        Ok((answer.array()?, size))
    }

    fn close(&mut self, file: FileId) -> Result<(), Fault> {
        let head = self.head(Command::Close);
        self.request.close(head, file);
        self.done(Command::Close)
    }

    /// Opens a file, does `with` it and closes it, whatever the result.
    fn with<T>(
        &mut self,
        opening: Opening,
        name: &str,
        with: impl FnOnce(&mut Self, FileId, u64) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let (file, size) = self.opened(opening, name)?;
        let done = with(self, file, size);
        match &done {
            Err(fault) if !fault.is_refusal() => done,
            _ => {
                let closed = self.close(file);
                done.and_then(|done| closed.map(|()| done))
            }
        }
    }

    /// Adds what is at `offset` to `into`; returns how many bytes that were.
    fn read_piece(
        &mut self,
        file: FileId,
        offset: u64,
        most: u32,
        into: &mut Vec<u8>,
    ) -> Result<usize, Fault> {
        let head = self.head(Command::Read);
        self.request.read(head, file, offset, most);
        match self.exchange(Command::Read)? {
            status::SUCCESS => {}
            status::END_OF_FILE => return Ok(0),
            other => return Err(refused(Command::Read.name(), other)),
        }
        let mut answer = self.field(Command::Read, HEADER + 2)?;
        let at = usize::from(answer.u8()?);
        answer.seek(HEADER + 4)?;
        let length = answer.length_le()?;
        if length > usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(answer.damage("more than was asked for"));
        }
        answer.seek(at)?;
        into.extend_from_slice(answer.take(length)?);
        Ok(length)
    }

    fn put(&mut self, file: FileId, content: &[u8]) -> Result<(), Fault> {
        let piece = usize::try_from(self.most).unwrap_or(4096);
        let mut at = 0;
        while let Some(part) = content.get(at..).and_then(|rest| rest.chunks(piece).next()) {
            let offset = u64::try_from(at).unwrap_or(u64::MAX);
            let head = self.head(Command::Write);
            self.request.write(head, file, offset, part);
            self.done(Command::Write)?;
            let mut answer = self.field(Command::Write, HEADER + 4)?;
            match answer.length_le()? {
                written if written > 0 && written <= part.len() => at += written,
                _ => return Err(answer.damage("nothing was written, or more than there is")),
            }
        }
        Ok(())
    }

    /// Returns how many entries the next part of a listing has; `None` at its end.
    fn entries(&mut self, file: FileId) -> Result<Option<u32>, Fault> {
        const QUERY: Command = Command::QueryDirectory;
        let head = self.head(QUERY);
        self.request.query_directory(head, file, self.most);
        match self.exchange(QUERY)? {
            status::SUCCESS => {}
            status::NO_MORE_FILES => return Ok(None),
            other => return Err(refused(QUERY.name(), other)),
        }
        let mut answer = self.field(QUERY, HEADER + 2)?;
        let offset = usize::from(answer.u16_le()?);
        let length = answer.length_le()?;
        answer.seek(offset)?;
        counted(Reader::new(answer.take(length)?, QUERY.name())).map(Some)
    }
}

/// Counts the entries of a part of a listing but `.` and `..` (MS-FSCC 2.4.10).
fn counted(mut entries: Reader<'_>) -> Result<u32, Fault> {
    let (mut count, mut at) = (0, 0_usize);
    loop {
        entries.seek(at)?;
        let next = entries.length_le()?;
        entries.seek(at + 60)?;
        let length = entries.length_le()?;
        let name = entries.take(length)?;
        count += u32::from(name != b".\0" && name != b".\0.\0");
        if next == 0 {
            return Ok(count);
        }
        if next < 64 {
            return Err(entries.damage("the next entry lies in this one"));
        }
        at = at.saturating_add(next);
    }
}

impl Remote for Smb<'_> {
    fn enter(&mut self, directory: &str, make: bool) -> Result<(), Fault> {
        self.directory.clear();
        if make {
            self.with(Opening::MAKE_DIRECTORY, directory, |_, _, _| Ok(()))?;
        }
        // A path is sent whole each time, so there is nothing to ask for.
        directory.clone_into(&mut self.directory);
        Ok(())
    }

    fn create(&mut self, name: &str) -> Result<(), Fault> {
        self.with(Opening::NEW, name, |_, _, _| Ok(()))
    }

    fn open(&mut self, name: &str) -> Result<(), Fault> {
        self.with(Opening::READ, name, |_, _, _| Ok(()))
    }

    fn read(&mut self, name: &str, offset: u64, most: u32, to: &mut Vec<u8>) -> Result<(), Fault> {
        let most = most.min(self.most);
        self.with(Opening::READ, name, |smb, file, _| {
            smb.read_piece(file, offset, most, to).map(|_| ())
        })
    }

    fn read_all(&mut self, name: &str, to: &mut Vec<u8>) -> Result<(), Fault> {
        self.with(Opening::READ, name, |smb, file, size| {
            let mut offset = 0;
            if size > MOST_CONTENT {
                let answer = smb.field(Command::Create, HEADER + 48)?;
                return Err(answer.damage("a file of more bytes than are read at once"));
            }
            while offset < size {
                let got = smb.read_piece(file, offset, smb.most, to)?;
                if got == 0 {
                    break;
                }
                offset += u64::try_from(got).unwrap_or(0);
            }
            Ok(())
        })
    }

    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Fault> {
        self.with(Opening::WRITE, name, |smb, file, _| smb.put(file, content))
    }

    fn stat(&mut self, name: &str) -> Result<u64, Fault> {
        self.with(Opening::STATUS, name, |_, _, size| Ok(size))
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Fault> {
        self.with(Opening::RENAME, from, |smb, file, _| {
            let head = smb.head(Command::SetInfo);
            smb.request.rename(head, file, &smb.directory, to);
            smb.done(Command::SetInfo)
        })
    }

    fn remove(&mut self, name: &str) -> Result<(), Fault> {
        self.with(Opening::REMOVE, name, |_, _, _| Ok(()))
    }

    fn list(&mut self) -> Result<u32, Fault> {
        self.with(Opening::LIST, "", |smb, file, _| {
            let mut count: u32 = 0;
            for _ in 0..MOST_PARTS {
                match smb.entries(file)? {
                    Some(more) => count = count.saturating_add(more),
                    None => return Ok(count),
                }
            }
            let answer = smb.field(Command::QueryDirectory, HEADER)?;
            Err(answer.damage("a listing that does not end"))
        })
    }

    fn round_trips(&self) -> u64 {
        self.channel.sent
    }

    fn protocol(&self) -> String {
        format!("SMB {}", self.dialect().name())
    }
}
