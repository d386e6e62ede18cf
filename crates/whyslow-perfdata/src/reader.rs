//! The reader: opens a file and returns its records in order of time.

use std::fs::File;
use std::io::{Read, SeekFrom};
use std::path::Path;

use crate::abi::record;
use crate::body::RecordBody;
use crate::endian::{Endian, size};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, EventIndex};
use crate::facts::Facts;
use crate::fault::{FaultKind, Faults};
use crate::features::Features;
use crate::head::{Magic, PIPE_HEADER, ReadSeek};
use crate::header::Header;
use crate::intake::{BLOCK_BYTES, Extent, Intake};
use crate::record::{Raw, Record};
use crate::trace_format::TraceFormat;
use crate::window::Entry;

/// Bytes held for sorting if rounds do not end; a default.
const WINDOW_BYTES: usize = 64 << 20;

/// A reader of one `perf.data` file, in file or pipe mode.
pub struct Reader {
    intake: Intake,
    data_end: Option<u64>,
    gap: Vec<u8>,
    gap_offset: u64,
    /// Time of the newest record delivered.
    delivered: u64,
    /// The block of the record returned last; it can be freed when the next record is requested.
    lent: Option<u32>,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("offset", &self.intake.offset)
            .field("endian", &self.intake.endian)
            .field("faults", self.faults())
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a file, or a named pipe that is written in pipe mode.
    ///
    /// # Errors
    /// When it cannot be read, is empty or not a `perf.data`, or its header is inconsistent.
    pub fn open(path: &Path) -> Result<Self, Box<Error>> {
        Self::open_path(path).map_err(|error| error.at_path(path))
    }

    fn open_path(path: &Path) -> Result<Self, Box<Error>> {
        let file = File::open(path).map_err(|e| Error::io(0, e))?;
        let kind = file.metadata().map_err(|e| Error::io(0, e))?.file_type();
        if kind.is_dir() {
            let what = "a directory, as perf record --threads writes it";
            let error = Error::new(ErrorKind::Unsupported, 0, what);
            return Err(error.with_advice("record without --threads"));
        }
        if kind.is_file() {
            Self::from_seekable(Box::new(file))
        } else {
            Self::from_stream(Box::new(file))
        }
    }

    /// Reads a source that can be read at any offset, in file or pipe mode.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn from_seekable(mut input: Box<dyn ReadSeek + Send>) -> Result<Self, Box<Error>> {
        let magic = read_magic(&mut input)?;
        if magic.pipe {
            return Ok(Self::new_pipe(Box::new(input), magic.endian));
        }
        let mut faults = Faults::default();
        let header = Header::read(input.as_mut(), magic.endian, &mut faults)?;
        let start = header.data.offset;
        let seek = input.seek(SeekFrom::Start(start));
        seek.map_err(|e| Error::io(start, e))?;
        let extent = Extent {
            offset: start,
            size: Some(header.data.size),
        };
        let mut reader = Self::new(Box::new(input), magic.endian, extent);
        reader.gap = header.gap;
        reader.gap_offset = header.gap_offset;
        reader.intake.facts = Facts {
            events: header.events,
            features: header.features,
            faults,
        };
        Ok(reader)
    }

    /// Reads a stream in pipe mode, as `perf record -o -` writes it.
    ///
    /// Waits for the first records, because they declare the events.
    ///
    /// # Errors
    /// When it is empty, not a `perf.data`, or in file mode, which needs a file.
    pub fn from_stream(mut input: Box<dyn Read + Send>) -> Result<Self, Box<Error>> {
        let magic = read_magic(&mut input)?;
        if !magic.pipe {
            let what = "expected a stream in pipe mode, found a perf.data file in file mode";
            let error = Error::new(ErrorKind::Unsupported, 8, what);
            return Err(error.with_advice("save it to a file and give its name"));
        }
        Ok(Self::new_pipe(input, magic.endian))
    }

    fn new_pipe(input: Box<dyn Read + Send>, endian: Endian) -> Self {
        let extent = Extent {
            offset: PIPE_HEADER,
            size: None,
        };
        let mut reader = Self::new(input, endian, extent);
        reader.intake.fill();
        reader
    }

    fn new(input: Box<dyn Read + Send>, endian: Endian, extent: Extent) -> Self {
        let mut intake = Intake::new(input, endian, extent);
        intake.window_bytes = WINDOW_BYTES;
        Self {
            intake,
            data_end: extent.size.map(|bytes| extent.offset.saturating_add(bytes)),
            gap: Vec::new(),
            gap_offset: 0,
            delivered: 0,
            lent: None,
        }
    }

    /// Sets how many bytes may be held for sorting if rounds do not end; at least 4 MiB. The
    /// default is 64 MiB. Whole rounds within it are sorted exactly.
    pub fn set_window_bytes(&mut self, bytes: usize) {
        self.intake.window_bytes = bytes.max(4 * BLOCK_BYTES);
    }

    /// Returns the byte order of the file.
    pub fn endian(&self) -> Endian {
        self.intake.endian
    }

    /// Returns the events declared so far; in pipe mode they come with the first records.
    pub fn events(&self) -> &[Event] {
        &self.intake.facts.events.all
    }

    /// Returns one of [`Reader::events`].
    pub fn event(&self, index: EventIndex) -> Option<&Event> {
        self.events().get(index.get())
    }

    /// Returns the format of an event's payload, if it is a tracepoint and the file has it.
    pub fn format(&self, index: EventIndex) -> Option<&TraceFormat> {
        let attr = self.event(index)?.attr;
        attr.is_tracepoint()
            .then(|| self.features().format(attr.config))?
    }

    /// Returns the facts stated so far; in pipe mode they come with the records.
    pub fn features(&self) -> &Features {
        &self.intake.facts.features
    }

    /// Returns a section that this reader does not interpret, by its bit.
    pub fn feature_raw(&self, bit: u16) -> Option<&[u8]> {
        self.features().raw(bit)
    }

    /// Returns the bytes between attributes and data, and their file offset: a place for what a
    /// recorder knows before it starts, which perf ignores.
    pub fn gap(&self) -> (u64, &[u8]) {
        (self.gap_offset, &self.gap)
    }

    /// Returns the damage met so far.
    pub fn faults(&self) -> &Faults {
        &self.intake.facts.faults
    }

    /// Returns the file offset up to which the file has been read.
    pub fn position(&self) -> u64 {
        self.intake.offset
    }

    /// Returns the file offset where the records end; `None` in pipe mode.
    pub fn data_end(&self) -> Option<u64> {
        self.data_end
    }

    /// Returns the next record in order of time, or `None` at the end.
    ///
    /// Records without a time stay behind the record they follow in the file.
    ///
    /// # Errors
    /// When the source cannot be read; everything read before has then been delivered. Damage is
    /// not an error; it is counted, see [`Reader::faults`].
    #[inline]
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, Box<Error>> {
        if let Some(block) = self.lent.take() {
            self.intake.window.done(block);
        }
        let entry = loop {
            if let Some(entry) = self.intake.window.take() {
                break entry;
            }
            if self.intake.ended {
                return match self.intake.failure.take() {
                    Some(error) => Err(error),
                    None => Ok(None),
                };
            }
            self.intake.fill();
        };
        self.lent = Some(entry.block);
        Ok(Some(self.lend(entry)))
    }

    #[inline]
    fn lend(&mut self, entry: Entry) -> Record<'_> {
        let Intake {
            window,
            facts,
            endian,
            ..
        } = &mut self.intake;
        let Facts { events, faults, .. } = facts;
        let late = entry.time < self.delivered;
        if window.believes(entry.time) {
            self.delivered = self.delivered.max(entry.time);
        }
        let (rest, offset) = match window.block(entry.block) {
            Some(block) => {
                let rest = block.bytes.get(size(u64::from(entry.at))..);
                (rest.unwrap_or_default(), block.offset_of(entry.at))
            }
            None => (&[][..], 0),
        };
        let bytes = usize::from(endian.u16(rest, 6).unwrap_or(0));
        let bytes = rest.get(..bytes).unwrap_or_default();
        let ty = endian.u32(bytes, 0).unwrap_or(0);
        let event = events.of_record(ty, bytes, *endian);
        let raw = Raw {
            bytes,
            offset,
            endian: *endian,
            late,
        };
        let record = Record::decode(raw, event);
        if late || !matches!(record.body, RecordBody::Sample(_)) {
            count_faults(&record, faults);
        }
        record
    }
}

fn count_faults(record: &Record<'_>, faults: &mut Faults) {
    let (ty, offset) = (record.ty, record.offset);
    if record.late {
        let detail = || "it is older than records before it".to_owned();
        faults.add(FaultKind::Late, offset, detail);
    }
    let detail = || format!("type {ty}");
    match record.body {
        RecordBody::Short => faults.add(FaultKind::ShortRecord, offset, detail),
        RecordBody::Unknown => faults.add(FaultKind::UnknownType, offset, detail),
        RecordBody::Other if ty == record::SAMPLE => {
            faults.add(FaultKind::UnknownEvent, offset, || {
                "its id is not declared".to_owned()
            });
        }
        _ => {}
    }
}

fn read_magic(input: &mut dyn Read) -> Result<Magic, Box<Error>> {
    let mut head = Vec::new();
    let read = input.take(PIPE_HEADER).read_to_end(&mut head);
    read.map_err(|e| Error::io(0, e))?;
    Magic::decode(&head)
}
