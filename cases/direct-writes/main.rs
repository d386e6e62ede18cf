// A recorder that writes each block of 4 KB past the cache (O_DIRECT), and waits for the disk each time.
use std::alloc::{Layout, alloc_zeroed};
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::time::{Duration, Instant};

const BLOCK: usize = 4096;
const O_DIRECT: i32 = 0o40000;

fn record_block(film: &File, block: &[u8], number: u64) {
    film.write_all_at(block, number % 2048 * BLOCK as u64).unwrap();
}

fn main() {
    let film = OpenOptions::new().write(true).custom_flags(O_DIRECT).open("film.raw").unwrap();
    // Direct writes need memory that begins at a multiple of the block's size.
    let block = unsafe {
        let layout = Layout::from_size_align(BLOCK, BLOCK).unwrap();
        std::slice::from_raw_parts_mut(alloc_zeroed(layout), BLOCK)
    };
    let start = Instant::now();
    let (mut blocks, mut writing) = (0, Duration::ZERO);
    while start.elapsed() < Duration::from_secs(2) {
        for byte in block.iter_mut() {
            *byte = byte.wrapping_add(blocks as u8 | 1);
        }
        let before = Instant::now();
        record_block(&film, block, blocks);
        writing += before.elapsed();
        blocks += 1;
    }
    let share = writing.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("writing {share:.3}\nblocks {blocks}\n")).unwrap();
}
