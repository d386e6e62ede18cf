//! Events of providers whose descriptions are shipped.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::path::Path;

use whyslow_etl::manifest::Manifests;
use whyslow_etl::schema::{Map, Schema};
use whyslow_etl::tracelogging::What;
use whyslow_etl::{Descriptor, FileSource, Guid, Identity, Reader, Record, providers};

use crate::real::{folder, traces};

/// What a trace says about its events.
#[derive(Default)]
struct Described {
    schemas: HashMap<(Guid, u16, u8), Schema>,
    maps: HashMap<(Guid, String), Map>,
}

/// An event as decoded by one of the two descriptions.
struct Decoded {
    names: (String, String),
    fields: Vec<Shown>,
    left: usize,
}

/// A field.
#[derive(Debug)]
struct Shown {
    name: String,
    depth: usize,
    what: String,
    /// The value by its map.
    mapped: Option<String>,
}

impl Shown {
    /// Returns whether they are the same, and ours has a name if theirs has one. Maps in traces
    /// know fewer values than newer manifests.
    fn agrees(&self, theirs: &Self) -> bool {
        (&self.name, self.depth, &self.what) == (&theirs.name, theirs.depth, &theirs.what)
            && (theirs.mapped.is_none() || self.mapped == theirs.mapped)
    }
}

fn reader(path: &Path) -> Reader<FileSource> {
    Reader::new(FileSource::new(File::open(path).unwrap()).unwrap()).unwrap()
}

fn described(path: &Path) -> Described {
    let mut found = Described::default();
    let (mut reader, mut manifests) = (reader(path), Manifests::default());
    while let Some(record) = reader.next_record().unwrap() {
        let whole = manifests.add(&record).unwrap_or_default();
        for schema in Schema::from_event_info(&record).into_iter().chain(whole) {
            let key = (schema.provider, schema.id, schema.version);
            found.schemas.insert(key, schema);
        }
        let map = Map::from_event_map_info(&record);
        found
            .maps
            .extend(map.map(|map| ((map.provider, map.name.clone()), map)));
    }
    found
}

fn decode<'a>(
    schema: &'a Schema,
    record: &'a Record<'_>,
    map: impl Fn(&str) -> Option<&'a Map>,
) -> Decoded {
    let mut items = schema.items(record.payload(), record.pointer_size());
    let mut fields = Vec::new();
    while let Some(item) = items.next() {
        let (what, value) = match item.what {
            What::Value(value) => (value.to_string(), value.as_u64()),
            What::Array(count) => (format!("array of {count}"), None),
            What::Structure => ("structure".to_owned(), None),
        };
        let map = items.map_name().and_then(&map);
        fields.push(Shown {
            name: item.name.to_string(),
            depth: item.depth,
            what,
            mapped: map.zip(value).and_then(|(map, value)| map.name_of(value)),
        });
    }
    // Merges write out the prefix, and the opcode of events without one.
    let opcode = schema.opcode.trim_start_matches("win:");
    let opcode = if opcode == "Info" { "" } else { opcode };
    Decoded {
        names: (schema.task.clone(), opcode.to_owned()),
        fields,
        left: items.rest().len(),
    }
}

/// The difference between two decodings of an event.
fn difference(ours: &Decoded, theirs: &Decoded) -> Option<String> {
    if ours.names != theirs.names {
        return Some(format!("{:?} is {:?}", ours.names, theirs.names));
    }
    let mut pairs = ours.fields.iter().zip(&theirs.fields);
    if let Some((ours, theirs)) = pairs.find(|(ours, theirs)| !ours.agrees(theirs)) {
        return Some(format!("{ours:?} is {theirs:?}"));
    }
    (ours.left != theirs.left).then(|| format!("leaves {}, not {}", ours.left, theirs.left))
}

/// Events that do not end where the table says, and why.
const LEFT: &[(&str, &str)] = &[
    (
        "Microsoft-Windows-DotNETRuntimePrivate 4 v2",
        "the manifest describes none of its fields",
    ),
    (
        "Microsoft-Windows-WinRM 192 v0",
        "has no fields in Windows 7",
    ),
    (
        "Microsoft-Windows-WinRM 193 v0",
        "has no fields in Windows 7",
    ),
];

/// Every event of a provider with a shipped description is decoded by it to the last byte, with the
/// same result as by the description in its trace, unless ours is better.
#[test]
fn real_events_decode_by_shipped_descriptions() {
    let Some(dir) = folder() else { return };
    let mut counts = BTreeMap::<String, [u64; 2]>::new();
    let (mut left, mut differ, mut unknown) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut compared = HashMap::new();
    for path in traces(&dir) {
        let described = described(&path);
        let mut reader = reader(&path);
        while let Some(record) = reader.next_record().unwrap() {
            let Identity::Event(event) = record.identity() else {
                continue;
            };
            if event.channel == 11 {
                continue;
            }
            let Some(schema) = providers::schema(&event) else {
                let name = providers::name(event.provider);
                unknown.extend(name.map(|name| format!("{name} {} v{}", event.id, event.version)));
                continue;
            };
            let what = format!("{} {} v{}", schema.provider_name, event.id, event.version);
            let count = counts.entry(schema.provider_name.to_string()).or_default();
            count[0] += 1;
            let mut items = schema.items(record.payload(), record.pointer_size());
            items.by_ref().for_each(drop);
            if items.is_broken() || !items.rest().is_empty() {
                left.insert(what.clone());
            }
            let key = (event.provider, event.id, event.version);
            let theirs = described.schemas.get(&key);
            let theirs = theirs.filter(|_| !providers::overrules(&event));
            let seen = compared.entry(key).or_insert(0);
            *seen += 1;
            // Only one in eight, if there are many.
            if let Some(theirs) = theirs.filter(|_| *seen < 1000 || *seen % 8 == 0) {
                let maps = |name: &str| providers::map(event.provider, name);
                let ours = decode(schema, &record, maps);
                let maps = |name: &str| described.maps.get(&(event.provider, name.to_owned()));
                count[1] += 1;
                let difference = difference(&ours, &decode(theirs, &record, maps));
                differ.extend(difference.map(|difference| format!("{what}: {difference}")));
            }
        }
    }
    for (name, [all, compared]) in &counts {
        println!("{name}: {all} events, {compared} compared");
    }
    println!("without a description: {unknown:?}");
    let known: Vec<_> = LEFT.iter().map(|(event, _)| *event).collect();
    assert_eq!(left.iter().map(String::as_str).collect::<Vec<_>>(), known);
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(counts.len() > 10 && counts.values().map(|[all, _]| all).sum::<u64>() > 200_000);
}

#[test]
fn well_known_providers_have_names() {
    let name = |text| providers::name(Guid::parse(text).unwrap());
    let runtime = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
    assert_eq!(name(runtime), Some("Microsoft-Windows-DotNETRuntime"));
    // One without a table, and an unknown one.
    let policy = "{AEA1B4FA-97D1-45F2-A64C-4D69FFFD92C9}";
    assert_eq!(name(policy), Some("Microsoft-Windows-GroupPolicy"));
    assert_eq!(name("00000000-0000-0000-0000-000000000001"), None);
    assert_eq!(Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e"), None);
    let mut event = Descriptor {
        provider: Guid::parse(runtime).unwrap(),
        id: 1,
        version: 9,
        channel: 0,
        level: 4,
        opcode: 1,
        task: 1,
        keyword: 1,
    };
    let newest = providers::schema(&event).unwrap();
    assert_eq!((newest.version, newest.name.as_str()), (2, "GCStart"));
    event.id = 9999;
    assert_eq!(providers::schema(&event), None);
    event.provider = Guid::parse(policy).unwrap();
    assert_eq!(providers::schema(&event), None);
    assert_eq!(providers::map(event.provider, "GCReasonMap"), None);
}
