//! Names of values, from maps that a merge adds.

use whyslow_etl::Reader;
use whyslow_etl::schema::Map;

use crate::schemas::{METADATA, PROVIDER};
use whyslow_testkit::{Buffer, Bytes, Random, T0, Trace, full};

/// Writes a map as a merge does.
fn event_map_info(flag: u32, entries: &[(u32, &str)]) -> Vec<u8> {
    let mut at = u32::try_from(16 + 8 * entries.len()).unwrap();
    let mut next = |text: &str| {
        let from = at;
        at += u32::try_from(2 * text.len() + 2).unwrap();
        from
    };
    let count = u32::try_from(entries.len()).unwrap();
    let mut out = Bytes::default().bytes(&PROVIDER);
    out = out.u32(next("Map")).u32(flag).u32(count).u32(0);
    for (value, name) in entries {
        out = out.u32(next(name)).u32(*value);
    }
    out = out.utf16("Map");
    entries.iter().fold(out, |out, (_, name)| out.utf16(name)).0
}

fn mapped(info: &[u8]) -> Option<Map> {
    let buffer = Buffer::new(0).push(full(T0, METADATA, (33, 0), info));
    let mut reader = Reader::new(Trace::new(vec![buffer]).bytes()).unwrap();
    reader.next_record().unwrap();
    Map::from_event_map_info(&reader.next_record().unwrap().unwrap())
}

#[test]
fn values_and_flags_have_names() {
    let entries = [(0, "None "), (1, "First "), (2, "Second"), (6, "Both")];
    let map = mapped(&event_map_info(1, &entries)).unwrap();
    assert_eq!((map.provider.0, map.name.as_str()), (PROVIDER, "Map"));
    let names = |map: &Map| [0, 1, 3, 6, 8].map(|value| map.name_of(value).unwrap_or_default());
    assert_eq!(names(&map), ["None", "First", "", "Both", ""]);
    let map = mapped(&event_map_info(2, &entries)).unwrap();
    assert_eq!(
        names(&map),
        ["None", "First", "First|Second", "Both", ""],
        "a flag without a name is not left out"
    );
    // A map of patterns, which no number matches.
    assert_eq!(mapped(&event_map_info(4, &entries)), None);
}

#[test]
fn maps_that_make_no_sense() {
    let seed = event_map_info(2, &[(1, "First"), (2, "Second")]);
    let mut random = Random(33);
    let mut found = 0;
    for _ in 0..400 {
        let mut info = seed.clone();
        let at = random.below(info.len());
        info[at] = random.number().to_le_bytes()[2];
        info.truncate(seed.len() - random.below(40) * random.below(2));
        if let Some(map) = mapped(&info) {
            found += usize::from(map.name_of(u64::MAX).is_none());
        }
    }
    assert!((100..400).contains(&found));
    let mut endless = seed;
    endless[24..28].fill(0xff);
    assert_eq!(mapped(&endless), None);
}
