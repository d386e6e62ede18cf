//! Perf maps: overriding, damage, staleness.

use std::time::Duration;

use super::*;

fn map_of(text: &str) -> PerfMap {
    PerfMap {
        bytes: FileBytes::from_memory(text.as_bytes().to_vec()),
    }
}

#[track_caller]
fn check(text: &str, addresses: &[u64], expected: &[&str]) {
    let mut names = Names::new();
    let found = map_of(text).symbols_of(addresses, &mut names).unwrap();
    let found: Vec<String> = found
        .iter()
        .zip(addresses)
        .map(|(found, address)| match found {
            Some((id, start)) => format!("{}+{}", names.text(*id), address - start),
            None => "-".to_owned(),
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn later_lines_override_earlier_ones_where_they_overlap() {
    let text = "1000 100 old one\n1200 10 Other\n1040 20 new two\n0x1300 0x10 Lhex\n";
    check(
        text,
        &[
            0xfff, 0x1000, 0x1040, 0x105f, 0x1060, 0x1100, 0x120f, 0x1301,
        ],
        &[
            "-",
            "old one+0",
            "new two+0",
            "new two+31",
            "old one+96",
            "-",
            "Other+15",
            "Lhex+1",
        ],
    );
}

#[test]
fn damaged_lines_are_skipped() {
    check(
        "\nx\n10\n10 \n10 5\n10 5 \n20 0 empty\nfffffffffffffff0 ffff last\n10 zz a\n30 5 no newline",
        &[0x10, 0x20, 0x31, u64::MAX - 1],
        &["-", "-", "no newline+1", "last+14"],
    );
}

#[test]
fn long_lines_and_many_overriding_lines_stay_bounded() {
    let mut text = format!("10 10 {}\n", "x".repeat(BLOCK_BYTES * 3));
    for i in 0..MAX_HITS + 10 {
        text.push_str(&format!("{:x} 40 f{i}\n", 0x100 + (i % 7) * 0x10));
    }
    let last = MAX_HITS + 9;
    let found = format!("f{last}+0");
    let address = 0x100 + (last as u64 % 7) * 0x10;
    check(&text, &[address], &[&found]);
}

#[test]
fn the_newest_line_wins_also_after_forgetting() {
    let mut text = String::new();
    for i in 0..3 * MAX_HITS {
        text.push_str(&format!("100 40 f{i}\n"));
    }
    check(&text, &[0x110], &[&format!("f{}+16", 3 * MAX_HITS - 1)]);
}

fn since(started: Option<SystemTime>) -> Writer {
    Writer {
        started,
        user: None,
    }
}

#[cfg(unix)]
#[test]
fn a_map_of_another_user_is_ignored() {
    use std::os::unix::fs::MetadataExt as _;
    let path = std::env::temp_dir().join(format!("whyslow-perf-own-{}.map", std::process::id()));
    std::fs::write(&path, "10 10 f\n").unwrap();
    let owner = std::fs::metadata(&path).unwrap().uid();
    let as_user = |user| Writer {
        user,
        ..since(None)
    };
    let own = PerfMap::open(&path, as_user(Some(owner))).err();
    let other = PerfMap::open(&path, as_user(Some(owner + 4711))).err();
    std::fs::remove_file(&path).unwrap();
    // What root writes is believed of every process.
    let expected = (owner != ROOT).then_some(Reason::PerfMapForeign);
    assert_eq!((own, other), (None, expected));
    assert_eq!(user_here(std::process::id(), true), Some(owner));
}

#[cfg(unix)]
#[test]
fn root_does_not_believe_maps_of_others() {
    if !whyslow_testenv::has(whyslow_testenv::Feature::Root) {
        return;
    }
    let path = std::env::temp_dir().join(format!("whyslow-perf-foe-{}.map", std::process::id()));
    std::fs::write(&path, "10 10 f\n").unwrap();
    std::os::unix::fs::chown(&path, Some(4711), None).expect("root gives it away");
    let as_user = |user| Writer {
        user: Some(user),
        ..since(None)
    };
    let opened = [ROOT, 4712, 4711].map(|user| PerfMap::open(&path, as_user(user)).err());
    std::fs::remove_file(&path).unwrap();
    let foreign = Some(Reason::PerfMapForeign);
    assert_eq!(opened, [foreign, foreign, None]);
}

#[test]
fn a_map_older_than_its_process_is_stale() {
    let path = std::env::temp_dir().join(format!("whyslow-perf-{}.map", std::process::id()));
    std::fs::write(&path, "10 10 f\n").unwrap();
    let later = SystemTime::now() + Duration::from_secs(60);
    let stale = PerfMap::open(&path, since(Some(later))).err();
    let fresh = PerfMap::open(&path, since(Some(SystemTime::UNIX_EPOCH))).err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!((stale, fresh), (Some(Reason::PerfMapStale), None));
    let missing = PerfMap::open(&path, since(None)).err();
    assert_eq!(missing, Some(Reason::PerfMapMissing));
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_refused() {
    let dir = std::env::temp_dir();
    let link = dir.join(format!("whyslow-perf-link-{}.map", std::process::id()));
    let target = dir.join(format!("whyslow-perf-target-{}.map", std::process::id()));
    std::fs::write(&target, "10 10 f\n").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let refused = PerfMap::open(&link, since(None)).err();
    std::fs::remove_file(&link).unwrap();
    std::fs::remove_file(&target).unwrap();
    assert_eq!(refused, Some(Reason::FileUnreadable));
}

#[test]
fn a_file_from_the_end_of_time_is_not_old() {
    let started = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let end = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(i64::MAX.unsigned_abs()));
    assert!(!is_older(end.expect("the last second"), started));
    assert!(is_older(SystemTime::UNIX_EPOCH, started));
}
