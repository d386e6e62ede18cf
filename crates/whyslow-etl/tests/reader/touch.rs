//! Walks a trace and calls every accessor.

use std::hint::black_box;
use std::io;
use std::sync::Arc;

use whyslow_etl::decode::{Decoder, Owners};
use whyslow_etl::{Error, Reader, Record, Source};

/// What a walk has seen.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) records: u64,
    pub(crate) late: u64,
    /// Raw time, processor and payload length of each event, if requested.
    pub(crate) order: Vec<(i64, u16, usize)>,
}

pub(crate) fn walk(bytes: &[u8]) -> Result<Touched, Box<Error>> {
    walk_reader(&mut Reader::new(bytes)?)
}

pub(crate) fn walk_reader<S: Source>(reader: &mut Reader<S>) -> Result<Touched, Box<Error>> {
    let clock = reader.clock();
    let mut touched = Touched::default();
    let (mut decoder, mut owners) = (Decoder::default(), Owners::default());
    while let Some(record) = reader.next_record()? {
        touched.records += 1;
        touched.late += u64::from(record.late);
        let payload = record.payload();
        touched
            .order
            .push((record.raw_time, record.cpu, payload.len()));
        for item in record.extended() {
            black_box(format!("{item:?}").len());
        }
        black_box((record.identity(), record.thread_id(), record.process_id()));
        black_box((
            record.activity(),
            record.processor_times(),
            record.instance(),
        ));
        black_box(
            record
                .counters()
                .map(|all| all.iter().fold(0, u64::wrapping_add)),
        );
        black_box((clock.ns(record.raw_time), clock.unix_ns(record.raw_time)));
        if touched.records <= MOST_DECODED {
            decode(&mut decoder, &mut owners, &record);
        }
    }
    Ok(touched)
}

/// Bytes that another thread may read too.
#[derive(Clone)]
pub(crate) struct Shared(pub(crate) Arc<Vec<u8>>);

impl Source for Shared {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, into)
    }

    fn share(&self) -> Option<Box<dyn Source + Send>> {
        Some(Box::new(self.clone()))
    }
}

/// Walks with and without decompression ahead; both must give the same result.
pub(crate) fn walk_both_ways(bytes: Vec<u8>) -> Result<Touched, Box<Error>> {
    let source = Shared(Arc::new(bytes));
    let mut plain = Reader::new(source.clone())?;
    let touched = walk_reader(&mut plain).unwrap();
    let mut ahead = Reader::new(source)?;
    ahead.decompress_ahead();
    assert_eq!(walk_reader(&mut ahead).unwrap(), touched);
    let faults = [&plain, &ahead].map(|reader| format!("{:?}", reader.faults()));
    assert_eq!(faults[0], faults[1]);
    Ok(touched)
}

/// Maximum number of records of a trace that are decoded; more would only take time.
const MOST_DECODED: u64 = 5_000;

fn decode(decoder: &mut Decoder, owners: &mut Owners, record: &Record<'_>) {
    decoder.learn(record);
    owners.learn(record);
    let owner = owners.of(record);
    let name = owner
        .process
        .and_then(|id| owners.name_of(id, record.raw_time));
    let kind = decoder.kind(record);
    black_box((name, &decoder.about(kind).name));
    for field in decoder.fields(kind, record) {
        black_box((field.item.name.0.len(), field.value_name(), field.path()));
    }
}
