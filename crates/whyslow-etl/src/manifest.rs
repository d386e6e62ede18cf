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
use crate::schema::{Amount, Field, Kind, MOST_FIELDS, Map, Schema};
use xml::Tag;

/// Most pieces of a manifest; Windows sends 64 KB in each.
const MOST_PIECES: usize = 256;
/// Most bytes of all manifests that are not whole.
const MOST_BYTES: usize = 32 << 20;
/// Most events of a manifest.
const MOST_EVENTS: usize = 1 << 14;
/// Most names of values of a manifest.
const MOST_NAMES: usize = 1 << 16;
/// Longest text that names refer to, in characters: one text may stand for many.
const MOST_TEXT: usize = 1 << 10;

/// Collects manifests from their pieces.
#[derive(Debug, Default)]
pub struct Manifests {
    pending: BTreeMap<(Guid, u32), Vec<Option<Vec<u8>>>>,
    bytes: usize,
}

impl Manifests {
    /// Takes an event; returns the events that a manifest describes when its last piece comes.
    /// Pieces beyond the limits, and manifests that are none, are ignored.
    pub fn add(&mut self, record: &Record<'_>) -> Option<Vec<Schema>> {
        let Identity::Event(event) = record.identity() else {
            return None;
        };
        let payload = record.payload();
        let is_piece = event.id == 0xfffe
            && event.opcode == 0xfe
            && (u8_at(payload, 0), u8_at(payload, 3)) == (Some(1), Some(0x5b));
        let total = usize::from(u16_at(payload, 4)?);
        let number = usize::from(u16_at(payload, 6)?);
        if !is_piece || total > MOST_PIECES || number >= total {
            return None;
        }
        let text = payload.get(8..)?;
        if total == 1 {
            return schemas(&String::from_utf8_lossy(text));
        }
        if self.bytes.saturating_add(text.len()) > MOST_BYTES {
            return None;
        }
        let key = (event.provider, record.process_id().unwrap_or(0));
        let pieces = self.pending.entry(key).or_default();
        pieces.resize(total, None);
        let piece = pieces.get_mut(number)?;
        self.bytes += text.len();
        self.bytes -= piece.replace(text.to_vec()).map_or(0, |old| old.len());
        if pieces.iter().any(Option::is_none) {
            return None;
        }
        let whole: Vec<u8> = self
            .pending
            .remove(&key)?
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        self.bytes = self.bytes.saturating_sub(whole.len());
        schemas(&String::from_utf8_lossy(&whole))
    }
}

/// What a manifest says of an event, by names.
#[derive(Debug, Default)]
struct Event {
    id: u16,
    version: u8,
    symbol: String,
    task: String,
    opcode: String,
    template: String,
}

/// A manifest as it is read.
#[derive(Debug, Default)]
struct Reading {
    provider: Guid,
    provider_name: Arc<str>,
    events: Vec<Event>,
    templates: BTreeMap<String, Vec<Field>>,
    template: String,
    maps: Vec<Map>,
    /// How many names of values there are in all maps.
    names: usize,
    /// Texts by name, which the others refer to as `$(string.NAME)`.
    texts: BTreeMap<String, String>,
}

/// Returns the events that a manifest describes; `None` where it is none.
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
    for map in &mut maps {
        map.provider = reading.provider;
        for (_, name) in &mut map.entries {
            if let Some(text) = text_of(name, &reading.texts) {
                *name = text;
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

/// Returns the text that `$(string.NAME)` stands for.
fn text_of(reference: &str, texts: &BTreeMap<String, String>) -> Option<String> {
    let name = reference.strip_prefix("$(string.")?.strip_suffix(')')?;
    Some(texts.get(name)?.chars().take(MOST_TEXT).collect())
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
            // Negative values of enumerations are as good as any.
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
            kind: Kind::Value {
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

/// Returns the number of a way to store a value; 0, which nothing is stored as, for others.
fn stored_as(name: &str) -> u16 {
    let index = STORED.iter().position(|known| *known == name);
    index
        .and_then(|index| u16::try_from(index + 1).ok())
        .unwrap_or(0)
}

/// Returns the number of a way to show a value, of those that make a difference.
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
