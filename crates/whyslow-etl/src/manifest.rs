//! Manifests that event sources write into the trace, so that their events can be read anywhere.
//!
//! An event source sends its manifest in pieces, as events of id 0xfffe and opcode 0xfe: `u8` format
//! 1, `u8` major and minor version, `u8` 0x5b, `u16` number of pieces, `u16` number of this piece,
//! UTF-8 text. From the source of .NET's `EventSource`; seen in one piece.

mod xml;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bytes::{u8_at, u16_at};
use crate::guid::Guid;
use crate::record::{Identity, Record};
use crate::schema::{Amount, Field, FieldKind, MOST_FIELDS, Map, Schema};
use xml::Tag;

/// Maximum number of pieces of a manifest; Windows sends 64 KB in each.
const MOST_PIECES: u16 = 256;
/// Maximum size of all incomplete manifests together, in bytes.
const MOST_BYTES: usize = 32 << 20;
/// Bytes that a piece takes in addition to its text.
const PIECE_BYTES: usize = 512;
/// Maximum number of events of a manifest.
const MOST_EVENTS: usize = 1 << 14;
/// Maximum number of value names in a manifest.
const MOST_NAMES: usize = 1 << 16;

/// Collects manifests from their pieces.
#[derive(Debug, Default)]
pub struct Manifests {
    pending: BTreeMap<(Guid, u32), Pieces>,
    /// Memory that they take.
    bytes: usize,
}

/// The pieces of a manifest received so far.
#[derive(Debug, Default)]
struct Pieces {
    total: u16,
    texts: BTreeMap<u16, Vec<u8>>,
}

impl Pieces {
    fn bytes(&self) -> usize {
        self.texts.values().map(|text| bytes_of(text)).sum()
    }
}

/// Returns the memory that a piece takes.
fn bytes_of(text: &[u8]) -> usize {
    text.len().saturating_add(PIECE_BYTES)
}

impl Manifests {
    /// Takes an event; returns the events that a manifest describes when its last piece comes.
    /// Pieces beyond the limits are ignored, as is anything that is not a manifest.
    pub fn add(&mut self, record: &Record<'_>) -> Option<Vec<Schema>> {
        let Identity::Event(event) = record.identity() else {
            return None;
        };
        let payload = record.payload();
        let is_piece = event.id == 0xfffe
            && event.opcode == 0xfe
            && (u8_at(payload, 0), u8_at(payload, 3)) == (Some(1), Some(0x5b));
        let (total, number) = (u16_at(payload, 4)?, u16_at(payload, 6)?);
        if !is_piece || total > MOST_PIECES || number >= total {
            return None;
        }
        let text = payload.get(8..)?;
        if total == 1 {
            return schemas(&String::from_utf8_lossy(text));
        }
        if self.bytes.saturating_add(bytes_of(text)) > MOST_BYTES {
            return None;
        }
        let key = (event.provider, record.process_id().unwrap_or(0));
        let pieces = self.pending.entry(key).or_default();
        if pieces.total != total {
            // The pieces so far belong to another manifest.
            self.bytes -= pieces.bytes();
            pieces.texts.clear();
            pieces.total = total;
        }
        self.bytes += bytes_of(text);
        let old = pieces.texts.insert(number, text.to_vec());
        self.bytes -= old.map_or(0, |old| bytes_of(&old));
        if pieces.texts.len() < usize::from(total) {
            return None;
        }
        let pieces = self.pending.remove(&key)?;
        self.bytes -= pieces.bytes();
        let whole: Vec<u8> = pieces.texts.into_values().flatten().collect();
        schemas(&String::from_utf8_lossy(&whole))
    }
}

/// What a manifest says about an event, by names.
#[derive(Debug, Default)]
struct Event {
    id: u16,
    version: u8,
    symbol: String,
    task: String,
    opcode: String,
    template: String,
}

/// A manifest while it is read.
#[derive(Debug, Default)]
struct Reading {
    provider: Guid,
    provider_name: Arc<str>,
    events: Vec<Event>,
    templates: BTreeMap<String, Vec<Field>>,
    template: String,
    maps: Vec<Map>,
    /// Number of value names in all maps.
    names: usize,
    /// Texts by name, which the others refer to as `$(string.NAME)`.
    texts: BTreeMap<String, String>,
}

/// Returns the events that a manifest describes; `None` if it is not a manifest.
fn schemas(text: &str) -> Option<Vec<Schema>> {
    let mut reading = Reading::default();
    for tag in xml::tags(text) {
        reading.take(&tag);
    }
    if reading.provider.is_zero() {
        return None;
    }
    let events = std::mem::take(&mut reading.events);
    let templates = reading.templates.into_iter();
    let templates: BTreeMap<_, Arc<[Field]>> =
        templates.map(|(id, all)| (id, all.into())).collect();
    let mut maps = reading.maps;
    // Many names may refer to one text: together they may be no longer than the manifest.
    let mut left = text.len();
    for map in &mut maps {
        map.provider = reading.provider;
        for (_, name) in &mut map.entries {
            let text = text_of(name, &reading.texts);
            if let Some((text, rest)) = text.and_then(|t| Some((t, left.checked_sub(t.len())?))) {
                left = rest;
                text.clone_into(name);
            }
        }
    }
    let maps: Arc<[Map]> = maps.into();
    let schemas = events.into_iter().map(|event| {
        let fields = templates.get(&event.template);
        let fields = fields.cloned().unwrap_or_default();
        Schema {
            provider: reading.provider,
            provider_name: Arc::clone(&reading.provider_name),
            id: event.id,
            version: event.version,
            task: event.task,
            opcode: event.opcode,
            name: event.symbol,
            top: fields.len(),
            fields,
            maps: Arc::clone(&maps),
        }
    });
    Some(schemas.collect())
}

/// Returns the text that `$(string.NAME)` refers to.
fn text_of<'t>(reference: &str, texts: &'t BTreeMap<String, String>) -> Option<&'t str> {
    let name = reference.strip_prefix("$(string.")?.strip_suffix(')')?;
    texts.get(name).map(String::as_str)
}

impl Reading {
    fn take(&mut self, tag: &Tag<'_>) {
        let text = |name| tag.attribute(name).unwrap_or_default();
        match tag.name {
            "provider" => {
                self.provider = Guid::parse(&text("guid")).unwrap_or_default();
                self.provider_name = text("name").into();
            }
            "event" if self.events.len() < MOST_EVENTS => {
                let Ok(id) = text("value").parse() else {
                    return;
                };
                let plain = |name| text(name).trim_start_matches("win:").to_owned();
                self.events.push(Event {
                    id,
                    version: text("version").parse().unwrap_or(0),
                    symbol: text("symbol"),
                    task: plain("task"),
                    opcode: plain("opcode"),
                    template: text("template"),
                });
            }
            "template" => self.template = text("tid"),
            "data" => self.field(tag),
            "valueMap" | "bitMap" if self.maps.len() < MOST_EVENTS => self.maps.push(Map {
                name: text("name"),
                is_flags: tag.name == "bitMap",
                ..Map::default()
            }),
            "map" => self.name(&text("value"), text("message")),
            "string" if self.texts.len() < MOST_NAMES => {
                self.texts.insert(text("id"), text("value"));
            }
            _ => {}
        }
    }

    /// Takes the name of a value of the map that is being read.
    fn name(&mut self, value: &str, name: String) {
        let value = match value.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16),
            // Enumerations may have negative values.
            None => value
                .parse()
                .or_else(|_| value.parse().map(i32::cast_unsigned)),
        };
        if let (Ok(value), Some(map), true) = (value, self.maps.last_mut(), self.names < MOST_NAMES)
        {
            self.names += 1;
            map.entries.push((value, name));
        }
    }

    fn field(&mut self, tag: &Tag<'_>) {
        let fields = self.templates.entry(self.template.clone()).or_default();
        let (Some(name), Some(stored)) = (tag.attribute("name"), tag.attribute("inType")) else {
            return;
        };
        if fields.len() == MOST_FIELDS {
            return;
        }
        let amount = |what| {
            let Some(text) = tag.attribute(what) else {
                return Amount::Natural;
            };
            let field = fields.iter().position(|field: &Field| field.name == text);
            match (text.parse(), field) {
                (Ok(number), _) => Amount::Fixed(number),
                (_, Some(field)) => Amount::Of(field),
                _ => Amount::Natural,
            }
        };
        let (count, length) = (amount("count"), amount("length"));
        let shown = tag.attribute("outType").unwrap_or_default();
        fields.push(Field {
            name,
            kind: FieldKind::Value {
                stored: stored_as(&stored),
                shown: shown_as(&shown),
            },
            count,
            length,
            map: tag.attribute("map").unwrap_or_default(),
        });
    }
}

/// Names of the ways to store a value, by number from 1.
const STORED: &[&str] = &[
    "win:UnicodeString",
    "win:AnsiString",
    "win:Int8",
    "win:UInt8",
    "win:Int16",
    "win:UInt16",
    "win:Int32",
    "win:UInt32",
    "win:Int64",
    "win:UInt64",
    "win:Float",
    "win:Double",
    "win:Boolean",
    "win:Binary",
    "win:GUID",
    "win:Pointer",
    "win:FILETIME",
    "win:SYSTEMTIME",
    "win:SID",
    "win:HexInt32",
    "win:HexInt64",
];

/// Returns the number of a way to store a value; 0, which means none, for others.
fn stored_as(name: &str) -> u16 {
    let index = STORED.iter().position(|known| *known == name);
    index
        .and_then(|index| u16::try_from(index + 1).ok())
        .unwrap_or(0)
}

/// Returns the number of a way to show a value, if it makes a difference.
fn shown_as(name: &str) -> u16 {
    match name {
        "xs:boolean" => 13,
        "win:HexInt8" | "win:HexInt16" | "win:HexInt32" | "win:HexInt64" => 18,
        "win:Port" => 22,
        "win:IPv4" => 23,
        "win:IPv6" => 24,
        "win:SocketAddress" => 25,
        "win:NTSTATUS" => 31,
        "win:HResult" => 32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_testkit::{Buffer, Bytes, Manifest, T0, Trace};

    /// A piece of a manifest that a process writes.
    fn piece(pid: u32, (number, total): (u16, u16), text: &str) -> Vec<u8> {
        let head = Bytes::default().u8(1).u8(1).u8(0).u8(0x5b);
        let payload = head.u16(total).u16(number).bytes(text.as_bytes()).0;
        let event = Manifest {
            wide: true,
            provider: [7; 16],
            id: 0xfffe,
            ids: (pid, 1),
            items: &[],
            payload: &payload,
        };
        let mut event = event.at(T0);
        event[0x2d] = 0xfe;
        event
    }

    /// Passes the events to `manifests`; returns what they describe.
    fn add(manifests: &mut Manifests, events: impl IntoIterator<Item = Vec<u8>>) -> Vec<Schema> {
        let buffer = events.into_iter().fold(Buffer::new(0), Buffer::push);
        let mut trace = Trace::new(vec![buffer]);
        trace.header.buffer_bytes = 32 << 20;
        let bytes = trace.bytes();
        let mut reader = crate::Reader::new(bytes.as_slice()).unwrap();
        let mut found = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            found.extend(manifests.add(&record).unwrap_or_default());
        }
        found
    }

    const TEXT: &str =
        r#"<provider name="A" guid="{33323130-3534-3736-3839-616263646566}"><event value="1"/>"#;

    #[test]
    fn first_pieces_of_many_manifests_take_bounded_memory() {
        let mut manifests = Manifests::default();
        let events = (0..80_000).map(|pid| piece(pid, (0, 256), ""));
        assert_eq!(add(&mut manifests, events), []);
        assert!(manifests.bytes <= MOST_BYTES);
        let pieces = manifests.pending.values();
        let pieces: usize = pieces.map(|pieces| pieces.texts.len()).sum();
        assert_eq!(pieces, MOST_BYTES / PIECE_BYTES);
    }

    #[test]
    fn pieces_of_a_manifest_that_was_given_up_are_forgotten() {
        let mut manifests = Manifests::default();
        let (start, end) = TEXT.split_at(40);
        let events = [
            piece(1, (0, 3), "of another"),
            piece(1, (2, 3), "manifest"),
            piece(1, (1, 2), end),
            piece(1, (0, 2), start),
        ];
        assert_eq!(add(&mut manifests, events).len(), 1);
        assert_eq!((manifests.bytes, manifests.pending.len()), (0, 0));
    }

    #[test]
    fn one_text_cannot_stand_for_more_than_the_manifest_has() {
        let map = r#"<map value="1" message="$(string.a)"/>"#.repeat(1_000);
        let long = "x".repeat(1_000);
        let text =
            format!(r#"{TEXT}<valueMap name="m">{map}</valueMap><string id="a" value="{long}"/>"#);
        let schema = schemas(&text).unwrap().remove(0);
        let names = schema.maps.iter().flat_map(|map| &map.entries);
        let bytes: usize = names.map(|(_, name)| name.len()).sum();
        assert!(bytes > 20_000 && bytes <= 2 * text.len(), "{bytes}");
    }
}
