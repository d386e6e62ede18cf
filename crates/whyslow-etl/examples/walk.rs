//! Walks a trace in order of time, counts its events by kind, and prints the speed: `walk FILE…`.
#![expect(clippy::print_stdout, reason = "the counts are its output")]

use std::collections::BTreeMap;
use std::fs::File;
use std::time::Instant;

use whyslow_etl::{FileSource, Identity, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args_os().skip(1) {
        let start = Instant::now();
        let mut reader = Reader::new(FileSource::new(File::open(&path)?)?)?;
        reader.decompress_ahead();
        let (mut events, mut bytes, mut sum) = (0_u64, 0_u64, 0_u32);
        let mut kernel = vec![0_u64; 1 << 16];
        let mut classic = 0_u64;
        let mut manifest = 0_u64;
        let mut other = 0_u64;
        while let Some(record) = reader.next_record()? {
            events += 1;
            bytes += record.bytes().len() as u64;
            sum = sum.wrapping_add(record.process_id().unwrap_or(0));
            match record.identity() {
                Identity::Kernel { group, opcode, .. } => {
                    let hook = usize::from(u16::from_le_bytes([opcode, group]));
                    if let Some(count) = kernel.get_mut(hook) {
                        *count += 1;
                    }
                }
                Identity::Classic { .. } => classic += 1,
                Identity::Event(_) => manifest += 1,
                _ => other += 1,
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let size = path
            .to_str()
            .map_or(0, |p| std::fs::metadata(p).map_or(0, |m| m.len()));
        println!("{}", path.display());
        println!(
            "  {events} events, {bytes} bytes, {} buffers, check {sum:x}",
            reader.buffers()
        );
        println!("  {manifest} of manifests, {classic} classic, {other} other");
        let hooks: BTreeMap<_, _> = kernel.iter().enumerate().filter(|(_, n)| **n > 0).collect();
        for (hook, count) in hooks {
            println!("  {count:10} {hook:04x}");
        }
        for fault in reader.faults().iter() {
            println!("  {fault}");
        }
        println!(
            "  {:.0} MB/s of file, {:.0} MB/s of events, {:.1} million events/s",
            size as f64 / 1e6 / seconds,
            bytes as f64 / 1e6 / seconds,
            events as f64 / 1e6 / seconds
        );
    }
    Ok(())
}
