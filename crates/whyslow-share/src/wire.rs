//! Messages on a stream, each preceded by its length, and bounded reading of their contents.
//!
//! SMB puts a zero byte and 24 bits of length before a message (MS-SMB2 2.1), ONC RPC puts 31 bits
//! of length and a bit for the last of several fragments (RFC 5531, 11).

use crate::fault::Fault;

/// What a client talks through.
pub(crate) trait Stream: Send {
    /// Sends all of `bytes`.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Fault>;
    /// Receives at least a byte; returns how many.
    fn receive(&mut self, to: &mut [u8]) -> Result<usize, Fault>;
}

/// How messages are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// 24 bits of length.
    Smb,
    /// Fragments of 31 bits of length.
    Records,
}

/// Bytes of the longest message that is taken.
const LONGEST: usize = 2 << 20;

/// Bytes that are asked for at once.
const ROOM: usize = 128 << 10;

/// A connection that exchanges messages.
pub(crate) struct Channel<'a> {
    stream: Box<dyn Stream + 'a>,
    framing: Framing,
    /// Received bytes that no message has taken are those from `begin` to `end`.
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
    message: Vec<u8>,
    /// Messages that were sent.
    pub(crate) sent: u64,
}

impl<'a> Channel<'a> {
    pub(crate) fn new(stream: Box<dyn Stream + 'a>, framing: Framing) -> Self {
        Self {
            stream,
            framing,
            buffer: vec![0; ROOM],
            begin: 0,
            end: 0,
            message: Vec::new(),
            sent: 0,
        }
    }

    /// Sends `message`, whose first four bytes are room for its length.
    pub(crate) fn send(&mut self, message: &mut [u8]) -> Result<(), Fault> {
        let length = u32::try_from(message.len().saturating_sub(4)).unwrap_or(u32::MAX);
        let marked = match self.framing {
            Framing::Smb => length,
            Framing::Records => length | LAST,
        };
        if let Some(head) = message.first_chunk_mut::<4>() {
            *head = marked.to_be_bytes();
        }
        self.sent += 1;
        self.stream.send(message)
    }

    /// Receives the next message, the answer to `request`.
    pub(crate) fn receive(&mut self, request: &'static str) -> Result<(), Fault> {
        self.message.clear();
        loop {
            let head = self.need(4)?.first_chunk::<4>().copied();
            let head = u32::from_be_bytes(head.unwrap_or_default());
            self.begin += 4;
            let (last, length) = match self.framing {
                Framing::Smb => (true, head),
                Framing::Records => (head & LAST != 0, head & !LAST),
            };
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            if length == 0 || length > LONGEST - self.message.len() {
                let what = "the length of a message";
                return Err(damaged(request, self.message.len(), what));
            }
            self.need(length)?;
            let (from, to) = (self.begin, self.begin + length);
            self.message
                .extend_from_slice(self.buffer.get(from..to).unwrap_or_default());
            self.begin = to;
            if last {
                return Ok(());
            }
        }
    }

    /// Returns the last message.
    pub(crate) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns at least `count` bytes that were received.
    fn need(&mut self, count: usize) -> Result<&[u8], Fault> {
        if self.begin == self.end {
            (self.begin, self.end) = (0, 0);
        }
        if self.begin + count > self.buffer.len() {
            self.buffer.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
            let room = self.buffer.len().max(count);
            self.buffer.resize(room, 0);
        }
        while self.end - self.begin < count {
            let room = self.buffer.get_mut(self.end..).unwrap_or_default();
            self.end += self.stream.receive(room)?;
        }
        Ok(self.buffer.get(self.begin..self.end).unwrap_or_default())
    }
}

/// The bit of the last fragment of a record.
const LAST: u32 = 1 << 31;

pub(crate) fn damaged(request: &'static str, offset: usize, what: &'static str) -> Fault {
    Fault::Damaged {
        request,
        offset,
        what,
    }
}

/// Reads an answer from its beginning; never beyond its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    request: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], request: &'static str) -> Self {
        Self {
            bytes,
            at: 0,
            request,
        }
    }

    /// Returns the damage `what` here.
    pub(crate) fn damage(&self, what: &'static str) -> Fault {
        damaged(self.request, self.at, what)
    }

    /// Goes to `offset` from the beginning.
    pub(crate) fn seek(&mut self, offset: usize) -> Result<(), Fault> {
        if offset > self.bytes.len() {
            return Err(self.damage("an offset beyond the end"));
        }
        self.at = offset;
        Ok(())
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let end = self.at.checked_add(count);
        let found = end.and_then(|end| self.bytes.get(self.at..end));
        let found = found.ok_or_else(|| self.damage("the end comes too early"))?;
        self.at += count;
        Ok(found)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let found = self.take(N)?.first_chunk::<N>().copied();
        found.ok_or_else(|| self.damage("the end comes too early"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Fault> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u16_le(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32_le(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64_le(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32_be(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(crate) fn u64_be(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// Returns a length of 32 bits, little-endian, as a size.
    pub(crate) fn length_le(&mut self) -> Result<usize, Fault> {
        let length = self.u32_le()?;
        usize::try_from(length).map_err(|_| self.damage("a length"))
    }

    /// Returns a length of 32 bits, big-endian, as a size.
    pub(crate) fn length_be(&mut self) -> Result<usize, Fault> {
        let length = self.u32_be()?;
        usize::try_from(length).map_err(|_| self.damage("a length"))
    }
}
