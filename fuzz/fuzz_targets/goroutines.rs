//! The memory of a Go program: any bytes from `BASE` on, which begin with the list of goroutines. The first byte
//! says of which version it is, the second how much of it is left for the second look.
#![no_main]

use std::hint::black_box;

use whyslow_goroutines::{Observer, Runtime};
use whyslow_symbols::go::GoImage;
use whyslow_symbols::jvm::Memory;

const BASE: u64 = 0x10_0000;
/// The oldest version that is read, and how many later ones are tried.
const OLDEST: u32 = 18;
const VERSIONS: u32 = 10;

struct Bytes<'a>(&'a [u8]);

impl Memory for Bytes<'_> {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let at = usize::try_from(address.checked_sub(BASE)?).ok()?;
        into.copy_from_slice(self.0.get(at..at.checked_add(into.len())?)?);
        Some(())
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&[version, left], memory)) = data.split_first_chunk() else {
        return;
    };
    let image = GoImage::with_places(OLDEST + u32::from(version) % VERSIONS, &[0, 8, u64::MAX]);
    let Ok(runtime) = Runtime::find(&Bytes(memory), &image, BASE) else {
        return;
    };
    let mut observer = Observer::new(1, runtime);
    let kept = memory.len() * usize::from(left) / 256;
    for (time_ns, memory) in [(1, memory), (2, &memory[..kept]), (3, memory)] {
        if let Some(look) = observer.look(&Bytes(memory), time_ns) {
            assert!(look.seen <= memory.len() && look.changes.len() <= memory.len());
            black_box(look);
        }
    }
});
