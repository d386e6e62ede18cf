//! Says which functions are at offsets of an ELF file: `where_is FILE OFFSET…` (hexadecimal).
#![expect(clippy::print_stdout, reason = "the names are its output")]

use std::path::PathBuf;

use whyslow_symbols::{Inlined, ModuleRef, Names, Options, Resolution, Symbolizer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("usage: where_is FILE OFFSET…")?);
    let offset = |text: String| u64::from_str_radix(text.trim_start_matches("0x"), 16);
    let mut offsets = arguments.map(offset).collect::<Result<Vec<_>, _>>()?;
    offsets.sort_unstable();
    offsets.dedup();
    let symbolizer = Symbolizer::new(Options {
        inlined: Inlined::Always,
        ..Options::default()
    });
    let module = ModuleRef::elf(&path, None);
    let mut names = Names::new();
    let mut found = vec![Err(None); offsets.len()];
    let mut take = |at: usize, resolution: Resolution<'_>| {
        if let Some(place) = found.get_mut(at) {
            *place = match resolution {
                Resolution::Frames(frames) => Ok(frames.to_vec()),
                Resolution::Unresolved(reason) => Err(Some(reason)),
            };
        }
    };
    symbolizer.symbolize_module(&module, &offsets, &mut names, &mut take);
    for (offset, found) in offsets.iter().zip(found) {
        match found {
            Ok(frames) => {
                // The innermost inlined function is the first.
                for frame in frames {
                    let file = frame.file.map_or("?", |file| names.text(file));
                    let (line, name) = (frame.line.unwrap_or(0), names.text(frame.function));
                    println!("{offset:x} {name}+{:#x} {file}:{line}", frame.offset_bytes);
                }
            }
            Err(reason) => println!("{offset:x} {}", reason.map_or("?", |reason| reason.code())),
        }
    }
    Ok(())
}
