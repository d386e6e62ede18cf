//! The disks of this machine: `/sys/block`.

use std::fs;
use std::path::Path;

/// The most disks that are reported.
const MOST: usize = 256;

/// Returns each disk that has any size as a line: the kernel's number of the device (major number times 2^20 plus the
/// minor one), its name, whether it is rotational (1 or 0), its scheduler, how many requests may be queued, how many
/// the device takes at a time, `back` if it has a write cache, else `through`, and its partitions, separated by
/// commas. What is not known is `-`.
pub fn disks() -> Vec<String> {
    of_folder(Path::new("/sys/block"))
}

fn of_folder(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut disks: Vec<String> = entries
        .filter_map(|entry| line(&entry.ok()?.path()))
        .take(MOST)
        .collect();
    disks.sort();
    disks
}

fn line(disk: &Path) -> Option<String> {
    let read = |file: &str| {
        let text = fs::read_to_string(disk.join(file)).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let name = disk.file_name()?.to_str()?.replace(' ', "_");
    let number = number(&read("dev")?)?;
    if read("size")? == "0" {
        return None;
    }
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let rotational = or_none(read("queue/rotational"));
    let scheduler = or_none(read("queue/scheduler").map(|text| chosen(&text)));
    let queue = or_none(read("queue/nr_requests"));
    let depth = or_none(read("device/queue_depth"));
    let cache = read("queue/write_cache").unwrap_or_default();
    let cache = match cache.as_str() {
        "write back" => "back",
        "write through" => "through",
        _ => "-",
    };
    let parts = parts(disk, &name);
    Some(format!(
        "{number} {name} {rotational} {scheduler} {queue} {depth} {cache} {parts}"
    ))
}

/// `8:16` as one number.
fn number(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once(':')?;
    let (major, minor) = (major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?);
    (major < 1 << 12 && minor < 1 << 20).then_some(major << 20 | minor)
}

/// The scheduler that is used: `none [mq-deadline] kyber`.
fn chosen(text: &str) -> String {
    let mut words = text.split(' ');
    let marked = words.find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    marked.unwrap_or(text).replace(' ', "_")
}

fn parts(disk: &Path, name: &str) -> String {
    let entries = fs::read_dir(disk).into_iter().flatten();
    let entries = entries.filter_map(|entry| entry.ok());
    let parts = entries.filter(|entry| entry.path().join("partition").exists());
    let parts = parts.filter_map(|part| part.file_name().into_string().ok());
    let mut parts: Vec<String> = parts.filter(|part| part.starts_with(name)).collect();
    parts.sort();
    match parts.is_empty() {
        true => "-".to_owned(),
        false => parts.join(","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_a_line() {
        let folder = std::env::temp_dir().join(format!("whyslow-disks-{}", std::process::id()));
        let files = [
            ("sda/dev", "8:0\n"),
            ("sda/size", "2048\n"),
            ("sda/queue/rotational", "1\n"),
            ("sda/queue/scheduler", "none [mq-deadline] kyber\n"),
            ("sda/queue/nr_requests", "256\n"),
            ("sda/queue/write_cache", "write back\n"),
            ("sda/device/queue_depth", "32\n"),
            ("sda/sda2/partition", "2\n"),
            ("sda/sda1/partition", "1\n"),
            ("loop0/dev", "7:0\n"),
            ("loop0/size", "0\n"),
            ("dm-0/dev", "253:0\n"),
            ("dm-0/size", "8\n"),
        ];
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let disks = of_folder(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let expected = [
            "265289728 dm-0 - - - - - -",
            "8388608 sda 1 mq-deadline 256 32 back sda1,sda2",
        ];
        assert_eq!(disks, expected);
        assert_eq!(chosen("none"), "none");
    }
}
