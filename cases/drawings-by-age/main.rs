//! Shows the newest drawings of a studio: sorts the files of a folder by the time of their last change.
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn fill(folder: &Path, drawings: u64) {
    fs::create_dir_all(folder).unwrap();
    for n in 0..drawings {
        let file = fs::File::create(folder.join(format!("drawing-{n:05}.svg"))).unwrap();
        let age = Duration::from_secs(1_700_000_000 + n * 7919 % 100_003);
        file.set_modified(UNIX_EPOCH + age).unwrap();
    }
}

#[inline(never)]
fn changed(path: &Path) -> SystemTime {
    fs::metadata(path).and_then(|data| data.modified()).unwrap_or(UNIX_EPOCH)
}

#[inline(never)]
fn newest_drawings(folder: &Path) -> Vec<PathBuf> {
    let mut drawings: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    drawings.sort_by_key(|path| std::cmp::Reverse(changed(path)));
    drawings.truncate(20);
    drawings
}

#[inline(never)]
fn draw_page(drawings: &[PathBuf]) -> usize {
    drawings.iter().map(|path| path.to_string_lossy().len() + 40).sum()
}

fn main() {
    let folder = Path::new("drawings");
    fill(folder, 3000);
    let start = Instant::now();
    let (mut pages, mut size) = (0, 0);
    let mut sorting = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(2) {
        let before = Instant::now();
        let drawings = newest_drawings(folder);
        sorting += before.elapsed();
        size += draw_page(&drawings);
        pages += 1;
    }
    let share = sorting.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("pages {pages}\nsorting {share:.3}\nsize {size}\n")).unwrap();
}
