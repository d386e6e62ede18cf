//! Real payloads of kernel events with the values that another library expects from them: for many
//! kinds, the only source.

use std::fs;

use whyslow_etl::kernel::hooks::Hook;
use whyslow_etl::kernel::{
    self, Image, Process, Ready, Sample, StackFrames, StackOf, Switch, Thread,
};
use whyslow_etl::{PointerSize, Value};

use crate::json::{self, Json};
use crate::real::folder;

/// Payloads that the collection itself lists under the wrong pointer size.
const MISFILED: &[&str] = &["ImageDCEndV2", "ImageDCEndV3"];

/// Groups by the beginning of their class.
const GROUPS: &[(&str, u8)] = &[
    ("68fdd900", 0x00),
    ("3d6fa8d4", 0x01),
    ("3d6fa8d3", 0x02),
    ("3d6fa8d0", 0x03),
    ("90cbdc39", 0x04),
    ("3d6fa8d1", 0x05),
    ("9a280ac0", 0x06),
    ("ae53722e", 0x09),
    ("ce1dbfb4", 0x0f),
    ("2cb15d1d", 0x14),
    ("def2fe46", 0x18),
];

pub(crate) struct Payload<'a> {
    pub(crate) name: &'a str,
    pub(crate) group: u8,
    pub(crate) opcode: u8,
    pub(crate) version: u16,
    pub(crate) pointer: PointerSize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) expected: &'a [Json],
}

impl<'a> Payload<'a> {
    pub(crate) fn hook(&self) -> Hook {
        Hook {
            group: self.group,
            opcode: self.opcode,
        }
    }

    pub(crate) fn new(json: &'a Json) -> Self {
        let text = |key| json.get(key).text();
        let name = text("test");
        let group = GROUPS
            .iter()
            .find(|(class, _)| text("guid").starts_with(class));
        let is_wide = text("pointer") == "8" || MISFILED.contains(&name);
        let hex = text("payload_hex").as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        Self {
            name,
            group: group.unwrap_or_else(|| panic!("{name}: class")).1,
            opcode: text("opcode").parse().unwrap(),
            version: text("version").parse().unwrap(),
            pointer: if is_wide {
                PointerSize::Eight
            } else {
                PointerSize::Four
            },
            bytes: hex.map(byte).collect(),
            expected: json.get("expected").list(),
        }
    }
}

/// Checks one value against the C++ source that the collection quotes.
fn agrees(value: &Value<'_>, expected: &str) -> bool {
    if let Some(text) = expected
        .strip_prefix("L\"")
        .or_else(|| expected.strip_prefix('"'))
    {
        let text = text
            .replace("\" L\"", "")
            .trim_end_matches('"')
            .replace("\\\\", "\\")
            .replace("\\\"", "\"");
        // The collection shows consecutive spaces as one.
        let words = value.to_string();
        return words.split_whitespace().eq(text.split_whitespace());
    }
    if expected.starts_with(|c: char| c.is_ascii_lowercase()) {
        // The name of a constant.
        return matches!(value, Value::Ansi(_) | Value::Utf16(_));
    }
    let number = match expected.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => expected.parse::<i128>().unwrap() as u64,
    };
    match value {
        // The collection has these as numbers, in the order of the bytes.
        Value::Ipv4(address) => u64::from(u32::from_le_bytes(*address)) == number,
        Value::Port(port) => u64::from(port.swap_bytes()) == number,
        value => value.as_u64() == Some(number),
    }
}

/// Decodes a payload by its layout; returns the differences.
fn differences(payload: &Payload<'_>) -> Vec<String> {
    let Some(event) = kernel::event(payload.hook(), payload.version) else {
        return vec!["no layout".to_owned()];
    };
    let mut fields = event.fields(&payload.bytes, payload.pointer);
    let values: Vec<_> = fields.by_ref().collect();
    let mut wrong = Vec::new();
    if !fields.rest().is_empty() {
        wrong.push(format!("bytes are left: {:?}", fields.rest()));
    }
    for expected in payload.expected {
        let [.., name, expected] = expected.list() else {
            panic!("{expected:?}");
        };
        let name = name.text();
        let value = values.iter().find(|(of, _)| *of == name);
        match value {
            Some((_, value)) if agrees(value, expected.text()) => {}
            Some((_, value)) => wrong.push(format!("{name}: {value} for {}", expected.text())),
            None => wrong.push(format!("{name} is missing")),
        }
    }
    wrong
}

#[test]
fn payloads_decode_to_the_expected_values() {
    let Some(dir) = folder() else { return };
    let text = fs::read_to_string(dir.join("libtrace-payloads/kernel_payloads.json")).unwrap();
    let json = json::parse(&text);
    let mut found = String::new();
    let mut agreed = 0;
    for payload in json.list().iter().map(Payload::new) {
        let wrong = differences(&payload);
        agreed += usize::from(wrong.is_empty());
        for wrong in wrong {
            found += &format!("{}: {wrong}\n", payload.name);
        }
    }
    // The last field, a byte, is padded to the size of a pointer.
    let padded = "ThreadStart32bitsV1: bytes are left: [0, 0, 0]\n";
    assert_eq!((agreed, found.as_str()), (179, padded));
}

/// For every payload that has both, the typed payload and the fields by name agree.
#[test]
fn types_agree_with_the_fields() {
    let Some(dir) = folder() else { return };
    let text = fs::read_to_string(dir.join("libtrace-payloads/kernel_payloads.json")).unwrap();
    let json = json::parse(&text);
    let compared = json.list().iter().map(Payload::new).filter(|payload| {
        let typed = typed(payload);
        let event = kernel::event(payload.hook(), payload.version).unwrap();
        let values: Vec<_> = event.fields(&payload.bytes, payload.pointer).collect();
        for (name, typed) in &typed {
            let value = values.iter().find(|(of, _)| of == name);
            let value = value
                .map(|(_, value)| value.to_string())
                .unwrap_or_default();
            assert_eq!(*typed, value, "{}: {name}", payload.name);
        }
        !typed.is_empty()
    });
    assert_eq!(compared.count(), 41);
}

#[expect(clippy::too_many_lines, reason = "a table of fields")]
fn typed(payload: &Payload<'_>) -> Vec<(&'static str, String)> {
    let (bytes, version, pointer) = (&payload.bytes, payload.version, payload.pointer);
    let hex = |value: u64| format!("{value:#x}");
    match (payload.group, payload.opcode) {
        (3, 1..=4 | 39) => {
            let process = Process::read(bytes, version, pointer).unwrap();
            let exit_time = process.exit_time.map(|time| time.0.to_string());
            vec![
                ("ProcessId", process.process_id.to_string()),
                ("ParentId", process.parent_id.to_string()),
                ("SessionId", process.session_id.to_string()),
                ("ExitStatus", process.exit_code.to_string()),
                ("UserSID", Value::Sid(process.sid).to_string()),
                ("ImageFileName", process.image.to_string()),
                ("CommandLine", process.command_line.to_string()),
                ("PackageFullName", process.package.to_string()),
                ("ApplicationId", process.application.to_string()),
                ("ExitTime", exit_time.unwrap_or_default()),
            ]
        }
        (5, 1..=4) => {
            let thread = Thread::read(bytes, version, pointer).unwrap();
            let base = thread.base_priority.map(|value| value.to_string());
            let mut all = vec![
                ("ProcessId", thread.process_id.to_string()),
                ("TThreadId", thread.thread_id.to_string()),
                ("BasePriority", base.unwrap_or_default()),
                ("ThreadName", thread.name.to_string()),
            ];
            if bytes.len() > 8 {
                all.push(("Win32StartAddr", hex(thread.start_address)));
            }
            all
        }
        (5, 36) => {
            let switch = Switch::read(bytes).unwrap();
            vec![
                ("NewThreadId", switch.new_thread_id.to_string()),
                ("OldThreadId", switch.old_thread_id.to_string()),
                ("NewThreadPriority", switch.new_priority.to_string()),
                ("OldThreadPriority", switch.old_priority.to_string()),
                ("PreviousCState", switch.previous_c_state.to_string()),
                ("OldThreadWaitReason", switch.old_wait_reason.to_string()),
                ("OldThreadState", switch.old_state.to_string()),
                (
                    "OldThreadWaitIdealProcessor",
                    switch.old_ideal_cpu.to_string(),
                ),
                ("NewThreadWaitTime", switch.new_wait_ticks.to_string()),
            ]
        }
        (5, 50) => {
            let ready = Ready::read(bytes).unwrap();
            assert!(ready.in_dpc && !ready.is_stack_out && !ready.is_process_out);
            vec![
                ("TThreadId", ready.thread_id.to_string()),
                ("AdjustReason", ready.adjust_reason.to_string()),
                ("AdjustIncrement", ready.adjust_increment.to_string()),
            ]
        }
        (15, 46) => {
            let sample = Sample::read(bytes, pointer).unwrap();
            vec![
                ("InstructionPointer", hex(sample.instruction)),
                ("ThreadId", sample.thread_id.to_string()),
                ("Count", sample.count.to_string()),
            ]
        }
        (20, 2..=4 | 10) => {
            let image = Image::read(bytes, version, pointer).unwrap();
            let size = if version == 0 {
                image.size.to_string()
            } else {
                hex(image.size)
            };
            let process = image.process_id.map(|id| id.to_string());
            let mut all = vec![
                ("BaseAddress", hex(image.base)),
                ("ModuleSize", size),
                ("ProcessId", process.unwrap_or_default()),
                ("ImageFileName", image.path.to_string()),
            ];
            if version >= 2 {
                all.push(("TimeDateStamp", image.time_stamp.to_string()));
                all.push(("ImageCheckSum", image.checksum.to_string()));
                all.push(("DefaultBase", hex(image.default_base)));
            }
            all
        }
        (24, 32) => {
            let stack = StackOf::read(bytes, payload.hook(), pointer).unwrap();
            let StackFrames::Inline(frames) = stack.frames else {
                panic!("{stack:?}");
            };
            vec![
                ("EventTimeStamp", stack.event_time.to_string()),
                ("StackProcess", stack.process_id.to_string()),
                ("StackThread", stack.thread_id.to_string()),
                ("Stack", Value::Pointers(frames).to_string()),
            ]
        }
        _ => Vec::new(),
    }
}
