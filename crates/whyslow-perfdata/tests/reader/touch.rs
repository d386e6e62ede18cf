//! A walk over a whole file that reads every field of every record. A fuzzer calls it, and two
//! files with the same content must give the same result.

use std::io::Cursor;

use whyslow_perfdata::{Counters, Error, Reader, Record, RecordBody, Registers, Sample, Words};

/// What a walk saw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) records: u64,
    pub(crate) samples: u64,
    pub(crate) late: u64,
    /// Sum over all values of all fields; the same for the same content in any byte order.
    pub(crate) sum: u64,
}

impl Touched {
    fn add(&mut self, value: u64) {
        self.sum = self.sum.rotate_left(5) ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        for &byte in bytes {
            self.add(u64::from(byte));
        }
    }

    fn words(&mut self, words: Words<'_>) {
        self.add(words.len() as u64);
        for (index, word) in words.iter().enumerate() {
            assert_eq!(words.get(index), Some(word));
            self.add(word);
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// Walks a file held in memory.
pub(crate) fn walk(bytes: &[u8]) -> Result<Touched, Box<Error>> {
    let mut reader = Reader::from_seekable(Box::new(Cursor::new(bytes.to_vec())))?;
    walk_reader(&mut reader)
}

/// Walks the rest of a file.
pub(crate) fn walk_reader(reader: &mut Reader) -> Result<Touched, Box<Error>> {
    let mut touched = Touched::default();
    while let Some(record) = reader.next_record()? {
        touched.records += 1;
        touch_record(&record, &mut touched);
    }
    touch_facts(reader, &mut touched);
    Ok(touched)
}

fn touch_record(record: &Record<'_>, touched: &mut Touched) {
    touched.late += u64::from(record.late);
    touched.add(u64::from(record.ty));
    touched.add(u64::from(record.misc));
    touched.add(record.time_ns.unwrap_or(1));
    touched.add(u64::from(record.cpu.unwrap_or(1)));
    touched.add(record.pid.unwrap_or(1) as u64);
    touched.add(record.tid.unwrap_or(1) as u64);
    touched.add(u64::from(record.event.map_or(99, |event| event.0)));
    assert_eq!(record.content.len() + 8, usize::from(record.size).max(8));
    match record.body {
        RecordBody::Sample(sample) => {
            touched.samples += 1;
            touch_sample(&sample, touched);
        }
        RecordBody::Mmap(mmap) => {
            touched.add(mmap.address ^ mmap.length ^ mmap.file_offset);
            touched.add(u64::from(mmap.executable) + 2 * u64::from(mmap.kernel));
            touched.bytes(mmap.path);
            touched.bytes(mmap.build_id);
            if let Some(inode) = mmap.inode {
                touched.add(u64::from(inode.major) << 32 | u64::from(inode.minor));
                touched.add(inode.number ^ inode.generation);
            }
            touched.add(u64::from(mmap.protection.unwrap_or(77)));
            touched.add(u64::from(mmap.flags.unwrap_or(77)));
        }
        RecordBody::Comm {
            pid,
            tid,
            exec,
            name,
        } => {
            touched.add(pid as u64 ^ tid as u64 ^ u64::from(exec));
            touched.bytes(name);
        }
        RecordBody::Fork(task) | RecordBody::Exit(task) => {
            touched.add(task.pid as u64 ^ task.tid as u64 ^ task.time_ns);
            touched.add(task.parent_pid as u64 ^ task.parent_tid as u64);
        }
        RecordBody::Lost { id, count } => touched.add(id ^ count),
        RecordBody::LostSamples { count } => touched.add(count),
        RecordBody::Throttle { id, stream_id } | RecordBody::Unthrottle { id, stream_id } => {
            touched.add(id ^ stream_id);
        }
        RecordBody::Read { pid, tid, counters } => {
            touched.add(pid as u64 ^ tid as u64);
            touch_counters(&counters, touched);
        }
        RecordBody::Switch { out, other } => {
            let (pid, tid) = other.unwrap_or((7, 7));
            touched.add(pid as u64 ^ tid as u64 ^ u64::from(out));
            touched.add(u64::from(record.is_preemption()));
        }
        other => touch_rare(&other, touched),
    }
}

fn touch_rare(body: &RecordBody<'_>, touched: &mut Touched) {
    match *body {
        RecordBody::Namespaces { pid, tid, links } => {
            touched.add(pid as u64 ^ tid as u64);
            touched.words(links);
        }
        RecordBody::Ksymbol {
            address,
            length,
            removed,
            name,
        } => {
            touched.add(address ^ u64::from(length) ^ u64::from(removed));
            touched.bytes(name);
        }
        RecordBody::BpfEvent { kind, id, tag } => {
            touched.add(u64::from(kind) ^ u64::from(id));
            touched.bytes(tag);
        }
        RecordBody::Cgroup { id, path } => {
            touched.add(id);
            touched.bytes(path);
        }
        RecordBody::TextPoke { address, old, new } => {
            touched.add(address);
            touched.bytes(old);
            touched.bytes(new);
        }
        RecordBody::Aux {
            offset,
            size_bytes,
            flags,
        } => touched.add(offset ^ size_bytes ^ flags),
        RecordBody::CallchainDeferred { cookie, callchain } => {
            touched.add(cookie);
            touched.words(callchain);
        }
        _ => {}
    }
}

fn touch_sample(sample: &Sample<'_>, touched: &mut Touched) {
    for value in [
        sample.ip(),
        sample.address(),
        sample.id(),
        sample.stream_id(),
        sample.period(),
    ] {
        touched.add(value.unwrap_or(3));
    }
    assert!(sample.has_callchain() || sample.callchain.is_empty());
    touched.words(sample.callchain);
    touched.bytes(sample.raw);
    if let Some(counters) = sample.counters() {
        touch_counters(&counters, touched);
    }
    let Some(extras) = sample.extras() else {
        return;
    };
    for value in [
        extras.branches,
        extras.weight,
        extras.data_source,
        extras.transaction,
        extras.physical_address,
        extras.cgroup,
        extras.data_page_bytes,
        extras.code_page_bytes,
    ] {
        touched.add(value.unwrap_or(3));
    }
    touched.bytes(extras.aux);
    touch_registers(extras.user_registers, touched);
    touch_registers(extras.interrupt_registers, touched);
    if let Some(stack) = extras.user_stack {
        touched.bytes(stack.bytes);
        touched.add(stack.wanted_bytes);
    }
}

fn touch_registers(registers: Option<Registers<'_>>, touched: &mut Touched) {
    let Some(registers) = registers else {
        return;
    };
    touched.add(registers.abi ^ registers.mask);
    touched.words(registers.values);
    for number in 0..70 {
        touched.add(registers.get(number).unwrap_or(0));
    }
}

fn touch_counters(counters: &Counters<'_>, touched: &mut Touched) {
    touched.add(counters.time_enabled_ns().unwrap_or(3));
    touched.add(counters.time_running_ns().unwrap_or(3));
    for counter in counters.iter() {
        touched.add(counter.value);
        touched.add(counter.id.unwrap_or(3) ^ counter.lost.unwrap_or(5));
    }
}

fn touch_facts(reader: &Reader, touched: &mut Touched) {
    for event in reader.events() {
        touched.text(event.name.as_deref().unwrap_or("?"));
        touched.add(event.attr.flags ^ event.attr.config ^ event.attr.sample_type);
        for &id in &event.ids {
            touched.add(id);
        }
    }
    let features = reader.features();
    for text in [
        &features.hostname,
        &features.os_release,
        &features.version,
        &features.arch,
    ] {
        touched.text(text.as_deref().unwrap_or("?"));
    }
    touched.add(features.memory_bytes.unwrap_or(0));
    for format in &features.formats {
        touched.text(&format.name);
        touched.add(format.flags().len() as u64);
        touched.add(
            format
                .switch_states()
                .map_or(0, |states| states.letters.len() as u64),
        );
        for field in &format.fields {
            for endian in [
                whyslow_perfdata::Endian::Little,
                whyslow_perfdata::Endian::Big,
            ] {
                touched.add(field.read_i64(&[0x55; 64], endian).unwrap_or(0) as u64);
                touched.bytes(field.read_text(&[0x55; 64], endian).unwrap_or_default());
            }
        }
    }
    for build_id in &features.build_ids {
        touched.bytes(&build_id.id);
        touched.text(&build_id.path);
    }
    for bit in 0..256 {
        touched.bytes(reader.feature_raw(bit).unwrap_or_default());
    }
    for fault in reader.faults().iter() {
        assert!(fault.count > 0 && !fault.to_string().is_empty());
    }
}
