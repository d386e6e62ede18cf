//! Real traces compared with what Microsoft's own reader printed of them: every name with its
//! count, and every line with time, processor, process, thread, payload length and fields.
//!
//! Where the two differ, the reason has a name here. No difference is accepted without one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use whyslow_etl::decode::{Decoder, Field, Owners};
use whyslow_etl::kernel::Hook;
use whyslow_etl::tracelogging::What;
use whyslow_etl::{Clock, Reader, Record, Value, kernel};

use crate::real::folder;

mod reasons;

use reasons::{cut, reason};

/// Traces and what the reference printed of them.
const REFERENCES: &[(&str, &str)] = &[
    ("net.4.5.2.x64.etl", "net.4.5.2.x64.baseline.txt"),
    ("net.4.5.2.x86.etl", "net.4.5.2.x86.baseline.txt"),
    ("gcevents.etl", "gcevents.baseline.txt"),
    (
        "gcrundownevents.clrRundown.etl",
        "gcrundownevents.baseline.txt",
    ),
];

/// An event as the reference would print it.
#[derive(Debug, Clone)]
struct Ours {
    name: String,
    cpu: u16,
    length: usize,
    pid: Option<u32>,
    tid: Option<u32>,
    process: Option<String>,
    fields: Vec<Shown>,
    raw_time: i64,
    clock: Clock,
}

/// A field: its name, its number if it is one, its text, the name of its value.
#[derive(Debug, Clone)]
struct Shown {
    name: String,
    number: Option<i128>,
    text: String,
    named: Option<String>,
}

impl Shown {
    fn of(field: &Field<'_>) -> Option<Self> {
        let What::Value(value) = field.item.what else {
            return None;
        };
        let number = match value {
            Value::Signed(number) => Some(i128::from(number)),
            other => other.as_u64().map(i128::from),
        };
        Some(Self {
            name: field.item.name.to_string(),
            number,
            text: match value {
                Value::Time(time) => date(time.unix_ns() / 1000),
                other => other.to_string(),
            },
            named: field
                .value_name()
                .map_or_else(|| field.path(), |name| Some(name.into_owned())),
        })
    }
}

/// Returns a time as the reference prints it: `20/07/29 00:07:10.694123`, of microseconds since 1970.
fn date(us: i64) -> String {
    let (days, of_day) = (us.div_euclid(86_400_000_000), us.rem_euclid(86_400_000_000));
    // Days since March 1st of the year 0, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = (year + cycle * 400 + i64::from(month <= 2)) % 100;
    let seconds = of_day / 1_000_000;
    format!(
        "{year:02}/{month:02}/{day:02} {:02}:{:02}:{:02}.{:06}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        of_day % 1_000_000
    )
}

/// Returns whether the reference leaves an event out of its output, by a rule of its own.
fn is_left_out(name: &str, record: &Record<'_>, fields: &[Shown]) -> bool {
    let short = name.split_once('/').map_or(name, |(_, short)| short);
    let number = |name: &str| fields.iter().find(|f| f.name == name)?.number;
    match short {
        // These are joined to the events they belong to.
        "StackWalk/Stack"
        | "StackWalk/StackKeyKernel"
        | "StackWalk/StackKeyUser"
        | "StackWalk/KeyDelete"
        | "StackWalk/KeyRundown"
        | "ClrStack/Walk" => true,
        // These are joined to the files, threads and methods they name.
        "FileIO/Name"
        | "FileIO/FileCreate"
        | "FileIO/FileDelete"
        | "FileIO/FileRundown"
        | "Thread/DCStart"
        | "Thread/DCStop"
        | "Method/ILToNativeMap"
        | "Method/ILToNativeMapDCStart"
        | "Method/ILToNativeMapDCStop"
        | "Method/DCStartVerbose"
        | "Method/DCStopVerbose" => true,
        // Samples of idle processors.
        "PerfInfo/Sample" => record.payload()[8..12] == [0; 4] && record.payload()[14] & 3 == 0,
        // Methods that are neither compiled at run time nor dynamic.
        "Method/LoadVerbose" => number("MethodFlags").is_some_and(|flags| flags & 9 == 0),
        _ => {
            // The test that printed the reference leaves these out: names that came from the system
            // it ran on, and a provider whose manifest differs between systems.
            let by_system = kernel::hook(record).is_some_and(is_named_by_system);
            by_system || name.starts_with("DotNet/")
        }
    }
}

/// Events of the kernel without names in the reference.
fn is_named_by_system((hook, _): (Hook, u16)) -> bool {
    let opcode = hook.opcode;
    match hook.group {
        0x00 => !matches!(opcode, 0 | 5 | 8 | 32),
        0x0b => !matches!(opcode, 10..=17 | 21..=23 | 25),
        0x14 => opcode == 34,
        _ => false,
    }
}

/// Returns all names with their counts, and the events near these times, in microseconds.
fn read(path: &Path, times: &BTreeSet<i64>) -> (BTreeMap<String, u64>, HashMap<i64, Vec<Ours>>) {
    let bytes = fs::read(path).unwrap();
    let (mut decoder, mut owners) = (Decoder::default(), Owners::default());
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        decoder.learn(&record);
        owners.learn(&record);
    }
    let (mut counts, mut events) = (BTreeMap::new(), HashMap::new());
    let mut reader = Reader::new(bytes.as_slice()).unwrap();
    let clock = reader.clock();
    while let Some(record) = reader.next_record().unwrap() {
        let kind = decoder.kind(&record);
        let owner = owners.of(&record);
        let about = decoder.about(kind);
        let name = format!("{}/{}", about.provider, about.name);
        let us = (clock.ns(record.raw_time) + 500).div_euclid(1000);
        let is_near = times.range(us - 1..=us + 1).next().is_some();
        let mut fields = Vec::new();
        if is_near || name.ends_with("Method/LoadVerbose") {
            let shown = decoder.fields(kind, &record);
            fields.extend(shown.filter_map(|field| Shown::of(&field)));
        }
        if is_left_out(&name, &record, &fields) {
            continue;
        }
        *counts.entry(name.clone()).or_insert(0) += 1;
        if !is_near {
            continue;
        }
        let time = record.raw_time;
        let process = owner.process.and_then(|id| owners.name_of(id, time));
        let list: &mut Vec<Ours> = events.entry(us).or_default();
        list.push(Ours {
            name,
            cpu: record.cpu,
            length: record.payload().len(),
            pid: owner.process,
            tid: owner.thread,
            process: process.map(|name| name.to_string()),
            fields,
            raw_time: record.raw_time,
            clock,
        });
    }
    (counts, events)
}

/// Names that differ in the reference.
fn our_name(reference: &str) -> String {
    reference
        .replace("MSNT_SystemTrace/", "Windows Kernel/")
        .replace("SysConfig/Opcode(37)", "SysConfig/DeviceFamily")
}

/// The result of a comparison.
#[derive(Debug, Default)]
struct Report {
    names: u64,
    lines: u64,
    fields: usize,
    reasons: BTreeMap<&'static str, u64>,
    wrong: Vec<String>,
}

impl Report {
    fn compare(&mut self, trace: &Path, reference: &Path) {
        let text = fs::read_to_string(reference).unwrap();
        let lines = text.lines().filter(|line| line.starts_with("EVENT "));
        let times = lines.map(|line| reference_line(line).0).collect();
        let (mut counts, events) = read(trace, &times);
        for line in text.lines() {
            if let Some(count) = line.strip_prefix("COUNT ") {
                let (name, count) = count.rsplit_once(':').unwrap();
                let ours = counts.remove(&our_name(name));
                if ours != count.parse().ok() {
                    self.wrong.push(format!("{name}: {count}, ours {ours:?}"));
                }
                self.names += 1;
            } else if line.starts_with("EVENT ") {
                self.line(line, &events);
            }
        }
        let more = counts.iter().map(|more| format!("not there: {more:?}"));
        self.wrong.extend(more);
    }

    fn line(&mut self, line: &str, events: &HashMap<i64, Vec<Ours>>) {
        self.lines += 1;
        match compare(line, events) {
            Ok((agreed, differences)) => {
                self.fields += agreed;
                for reason in differences {
                    *self.reasons.entry(reason).or_insert(0) += 1;
                }
            }
            Err(why) => self.wrong.push(format!("{line}\n   {why}")),
        }
    }
}

/// Why fields and owners differ, and how often.
const REASONS: &[(&str, u64)] = &[
    ("a field that this version does not have", 170),
    ("a path's last part once more", 23),
    ("a sum", 24),
    ("a time stamp once more, as a date", 60),
    ("computed from the disk's other requests", 20),
    ("elements of arrays have numbers in their names there", 20),
    (
        "it describes an event of the runtime that no manifest does",
        170,
    ),
    (
        "it does not take the name of a process that ended before the trace",
        4,
    ),
    (
        "it does not tell the thread that ends a process or unloads an image",
        12,
    ),
    ("it reads half of the image's size", 4),
    ("it reads these events as older than they are", 32),
    (
        "it tells the interrupted thread, or other bytes, not the one that asked",
        9,
    ),
    (
        "it tells the thread that wrote of the service, not one of it",
        10,
    ),
    (
        "names of flags that begin with those of their enumeration",
        1,
    ),
    ("options named as if they were attributes", 3),
    ("options without the disposition in their upper byte", 7),
    ("the field has another name there", 51),
    ("the generation that other events tell", 12),
    ("the name of a type that other events tell", 15),
    ("the name of the process, not the one in the event", 10),
    ("the processor once more", 10),
    ("the upper byte of the options", 10),
    ("ticks as milliseconds", 26),
    ("time since the start, as milliseconds", 10),
    ("two flags that have one name together", 10),
    ("who wrote of the thread, which may be another process", 40),
];

#[test]
fn the_reference_agrees() {
    let Some(dir) = folder() else { return };
    let dir = dir.join("perfview");
    let mut report = Report::default();
    for (trace, reference) in REFERENCES {
        report.compare(&dir.join(trace), &dir.join(reference));
    }
    let Report {
        names,
        lines,
        fields,
        reasons,
        wrong,
    } = report;
    println!("{names} names, {lines} lines, {fields} fields agree; {reasons:#?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((names, lines, fields), (339, 1060, 5229));
    let reasons: Vec<_> = reasons.into_iter().collect();
    assert_eq!(reasons, REASONS);
}

/// An event line of a reference: time in microseconds, processor, payload length, process, thread.
type Line = (i64, u16, usize, Option<u32>, Option<u32>);

fn reference_line(line: &str) -> Line {
    let (time, rest) = line["EVENT ".len()..].split_once(": ").unwrap();
    let digits: String = time.chars().filter(char::is_ascii_digit).collect();
    let value = |key: &str| {
        let from = rest.find(key).unwrap() + key.len();
        let text: String = rest[from..].chars().take_while(|c| *c != ';').collect();
        text.replace(',', "").parse::<i64>().unwrap()
    };
    let id = |key| u32::try_from(value(key)).ok();
    let (cpu, length) = (value(" ProceNum="), value(" DataLen="));
    (
        digits.parse().unwrap(),
        u16::try_from(cpu).unwrap(),
        usize::try_from(length).unwrap(),
        id(" PID="),
        id(" TID="),
    )
}

/// Compares a line with our events of its time; returns how many fields are equal and the reasons
/// why others are not, or the differences without a reason.
fn compare(
    line: &str,
    events: &HashMap<i64, Vec<Ours>>,
) -> Result<(usize, Vec<&'static str>), String> {
    let (us, cpu, length, pid, tid) = reference_line(line);
    let (_, rest) = line.split_once(": ").unwrap();
    let (name, rest) = rest.split_once(" PID=").unwrap();
    let name = our_name(name);
    let near = [0, -1, 1].iter().filter_map(|by| events.get(&(us + by)));
    let near: Vec<&Ours> = near.flatten().collect();
    let mut fit = near
        .iter()
        .filter(|ours| (ours.cpu, ours.length) == (cpu, length) && ours.name == name);
    let (_, process) = rest.split_once(" PName=").unwrap();
    let (process, _) = process.split_once(';').unwrap();
    let (_, pairs) = rest.split_once("DataLen=").unwrap();
    let (_, pairs) = pairs.split_once("; ").unwrap_or_default();
    let mut best: Option<String> = None;
    for ours in fit.by_ref() {
        match agreement(ours, (pid, tid, process), pairs) {
            Ok(agreed) => return Ok(agreed),
            Err(why) => best = best.or(Some(why)),
        }
    }
    Err(best.unwrap_or_else(|| {
        let names: BTreeSet<_> = near.iter().map(|o| (&o.name, o.cpu, o.length)).collect();
        format!("none of {names:?}")
    }))
}

fn agreement(
    ours: &Ours,
    (pid, tid, process): (Option<u32>, Option<u32>, &str),
    pairs: &str,
) -> Result<(usize, Vec<&'static str>), String> {
    let mut reasons = Vec::new();
    let mut wrong = Vec::new();
    let unnamed = ours.pid.map(|id| format!("Process({id})"));
    let named = ours.process.clone().or(unnamed).unwrap_or_default();
    if (ours.pid, ours.tid, stem(&named)) != (pid, tid, process) {
        match owner_reason(ours, (pid, tid)) {
            Some(reason) => reasons.push(reason),
            None => wrong.push(format!("owner {:?} {:?} {named}", ours.pid, ours.tid)),
        }
    }
    let mut agreed = 0;
    for (key, shown) in pairs.split("; ").filter_map(|pair| pair.split_once('=')) {
        let field = ours.fields.iter().find(|field| field.name == key);
        match field {
            Some(field) if equal(field, shown) => agreed += 1,
            _ => match reason(ours, key, field, shown) {
                Some(reason) => reasons.push(reason),
                None => wrong.push(format!("{key}={shown} not {field:?}")),
            },
        }
    }
    if wrong.is_empty() {
        Ok((agreed, reasons))
    } else {
        Err(wrong.join("; "))
    }
}

/// Why process and thread differ from those of the reference; `None` if there is no reason.
fn owner_reason(ours: &Ours, (pid, tid): (Option<u32>, Option<u32>)) -> Option<&'static str> {
    let (_, short) = ours.name.split_once('/')?;
    match short {
        "Process/Start" | "Process/Stop" | "Image/Unload" if (ours.pid, None) == (pid, tid) => {
            Some("it does not tell the thread that ends a process or unloads an image")
        }
        "Process/Defunct" if (ours.pid, ours.tid) == (pid, tid) => {
            Some("it does not take the name of a process that ended before the trace")
        }
        "SystemConfig/Services" if ours.pid == pid => {
            Some("it tells the thread that wrote of the service, not one of it")
        }
        "DiskIO/ReadInit" | "DiskIO/WriteInit" | "DiskIO/FlushInit" | "DiskIO/FlushBuffers" => {
            Some("it tells the interrupted thread, or other bytes, not the one that asked")
        }
        _ => None,
    }
}

/// Returns the name of a process without its extension, as in the reference.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if ending.eq_ignore_ascii_case("exe") => stem,
        _ => name,
    }
}

/// Returns digits with commas.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Whether a field is what the reference prints: numbers with commas or in hexadecimal, names of
/// values, texts cut off at 20 characters.
fn equal(field: &Shown, shown: &str) -> bool {
    let fits = |text: &str| cut(text, shown);
    if let Some(named) = &field.named {
        let named = named.replace("PagingIo", "MountCompletion");
        if fits(&named) || fits(&named.replace('|', ", ")) {
            return true;
        }
    }
    let digits = shown.replace(',', "");
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(i128::from),
        None => digits.parse::<i128>().ok(),
    };
    match (field.number, number) {
        // The reference treats most numbers as signed.
        (Some(ours), Some(theirs)) => {
            ours == theirs
                || ours as u32 as i32 == theirs as i32 && i128::from(theirs as i32) == theirs
                || ours as u64 as i64 == theirs as i64 && i128::from(theirs as i64) == theirs
        }
        (Some(ours), None) if ["True", "False"].contains(&shown) => {
            (ours != 0) == (shown == "True")
        }
        (Some(ours), None) => fits(&field.text) || fits(&grouped(ours as u64 as i64)),
        (None, _) => fits(&field.text),
    }
}
