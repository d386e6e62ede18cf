//! Why a field may differ from the reference.

use super::*;

/// Why a field is not what the reference prints; `None` if there is no reason. Fields that the
/// reference computes are computed here, too.
pub(super) fn reason(
    ours: &Ours,
    key: &str,
    field: Option<&Shown>,
    shown: &str,
) -> Option<&'static str> {
    let (_, short) = ours.name.split_once('/')?;
    if ours.fields.iter().all(|field| field.name == "Rest") {
        let is_known = UNDESCRIBED.contains(&short);
        return is_known.then_some("it describes an event of the runtime that no manifest does");
    }
    match field {
        None => renamed(ours, key, shown)
            .or_else(|| computed(ours, short, key, shown))
            .or_else(|| elsewhere(short, key))
            .or_else(|| {
                let is_zero = ZERO.contains(&shown) && ours.name.contains("DotNETRuntime");
                let is_missing = shown.is_empty() || is_zero;
                is_missing.then_some("a field that this version does not have")
            }),
        Some(field) => told_otherwise(ours, short, key, field, shown),
    }
}

/// Whether the reference has a field under another name.
fn renamed(ours: &Ours, key: &str, shown: &str) -> Option<&'static str> {
    let same = |field: Option<&Shown>| field.is_some_and(|field| equal(field, shown));
    let mut fields = ours.fields.iter();
    if let Some((_, own)) = ALIASES.iter().find(|(theirs, _)| *theirs == key) {
        let alias = fields.find(|field| field.name == *own);
        return same(alias).then_some("the field has another name there");
    }
    let (stem, place) = key.rsplit_once('_')?;
    let stem = if stem == "TypeName" { "Name" } else { stem };
    let element = fields
        .filter(|field| field.name == stem)
        .nth(place.parse().ok()?);
    same(element).then_some("elements of arrays have numbers in their names there")
}

/// Whether the reference computes a field from others.
fn computed(ours: &Ours, short: &str, key: &str, shown: &str) -> Option<&'static str> {
    let find = |name: &str| ours.fields.iter().find(|field| field.name == name);
    let number = |name: &str| find(name)?.number;
    let is = |text: &str, reason| cut(text, shown).then_some(reason);
    // It rounds twice.
    let is_ms = |ticks: i128, reason| {
        let ns = ours.clock.duration_ns(i64::try_from(ticks).unwrap());
        let shown: f64 = shown.replace(',', "").parse().ok()?;
        ((ns as f64 / 1e6 - shown).abs() < 0.0011).then_some(reason)
    };
    let sum = |name: &str| {
        let of = |generation| number(&format!("{name}{generation}"));
        let sum: i128 = (0..5).filter_map(of).sum();
        is(&grouped(sum as i64), "a sum")
    };
    match key {
        "BuildTime" => {
            let seconds = i64::from(number("TimeDateStamp")? as u32);
            let text = date(seconds * 1_000_000);
            is(&text, "a time stamp once more, as a date")
        }
        "ElapsedTimeMSec" => match number("HighResResponseTime") {
            Some(ticks) => is_ms(ticks, "ticks as milliseconds"),
            None => {
                let ticks = i128::from(ours.raw_time) - number("InitialTime")?;
                is_ms(ticks, "time since the start, as milliseconds")
            }
        },
        "TotalHeapSize" => sum("GenerationSize"),
        "TotalPromoted" if short == "GC/HeapStats" => sum("TotalPromotedSize"),
        "ProcessorNumber" => is(&ours.cpu.to_string(), "the processor once more"),
        "ModuleILFileName" => {
            let last = find("ModuleILPath")?.text.rsplit('\\').next()?;
            is(last, "a path's last part once more")
        }
        "CreateDisposition" => {
            let place = usize::try_from(number("CreateOptions")? >> 24).ok()?;
            let names = ["SUPERSEDE", "OPEN_EXISTING", "CREATE_NEW", "OPEN_ALWAYS"];
            is(names.get(place)?, "the upper byte of the options")
        }
        _ => None,
    }
}

/// Whether the reference takes a field from another event.
fn elsewhere(short: &str, key: &str) -> Option<&'static str> {
    Some(match key {
        "DiskServiceTimeMSec" => "computed from the disk's other requests",
        "TypeName" if short == "GC/FinalizeObject" => "the name of a type that other events tell",
        "Depth" if short == "GC/HeapStats" => "the generation that other events tell",
        "ParentThreadID" | "ParentProcessID" if short.starts_with("Thread/") => {
            "who wrote of the thread, which may be another process"
        }
        _ if short == "UdpIp/Send" || short == "UdpIp/Recv" => {
            "it reads these events as older than they are"
        }
        _ => return None,
    })
}

/// Whether the reference gives another value for a field.
fn told_otherwise(
    ours: &Ours,
    short: &str,
    key: &str,
    field: &Shown,
    shown: &str,
) -> Option<&'static str> {
    let is = |text: &str, reason| cut(text, shown).then_some(reason);
    let without_disposition = || (field.number.unwrap_or(0) & 0xff_ffff).to_string();
    let options = "options without the disposition in their upper byte";
    match key {
        "ProcessID" if short == "ImageID" => Some("it reads half of the image's size"),
        "BitSettings" => is(
            &format!("GCSettings{}", field.named.as_ref()?),
            "names of flags that begin with those of their enumeration",
        ),
        "ProcessName" if short == "SystemConfig/Services" => is(
            stem(ours.process.as_deref()?),
            "the name of the process, not the one in the event",
        ),
        "CreateOptions" if cut(&without_disposition(), shown) => Some(options),
        "CreateOptions" if shown.starts_with("FILE_ATTRIBUTE_") => {
            Some("options named as if they were attributes")
        }
        "ShareAccess" => is(
            &field
                .named
                .as_ref()?
                .replace("Read|Write", "ReadWrite")
                .replace('|', ", "),
            "two flags that have one name together",
        ),
        _ => None,
    }
}

/// Events of the .NET runtime that the reference describes itself.
const UNDESCRIBED: &[&str] = &["GC/PerHeapHistory"];

/// What the reference prints for missing fields.
const ZERO: &[&str] = &["0", "0.000", "0x00000000", "Unknown", "not_specified"];

/// Fields with another name in the reference: its name, ours.
const ALIASES: &[(&str, &str)] = &[
    ("StartAddr", "Affinity"),
    ("UtcOffsetMinutes", "Bias"),
    ("Value", "NtPath"),
    ("IrpPtr", "Irp"),
    ("FileAttributes", "CreateAttributes"),
    ("Promoted", "Bytes"),
];

/// Whether the reference prints this for a text; it prints at most 20 characters.
pub(super) fn cut(text: &str, shown: &str) -> bool {
    match shown.strip_suffix("...") {
        Some(start) => text.starts_with(start) && text.chars().count() > 20,
        None => text == shown,
    }
}
