//! The payload of `sched:sched_switch`: where its fields are, and payloads that the recorder makes.

use whyslow_perfdata::whyslow_events::push_behind_switch;

use crate::raw_record::u32_at;

/// Where the fields of the payload of `sched:sched_switch` are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwitchLayout {
    id: u16,
    /// Offset and size, in the order of [`FIELDS`].
    fields: [(usize, usize); FIELDS.len()],
    bytes: usize,
}

pub(crate) const FIELDS: [&str; 8] = [
    "common_pid",
    "prev_comm",
    "prev_pid",
    "prev_prio",
    "prev_state",
    "next_comm",
    "next_pid",
    "next_prio",
];

/// What a payload says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SwitchFields {
    /// The thread that leaves.
    pub(crate) leaver_tid: u32,
    /// Its name.
    pub(crate) leaver_name: [u8; 16],
    /// Its priority.
    pub(crate) leaver_priority: u32,
    /// Its state.
    pub(crate) state: u64,
    /// The thread that comes.
    pub(crate) comer_tid: u32,
    /// Its name.
    pub(crate) comer_name: [u8; 16],
    /// Its priority.
    pub(crate) comer_priority: u32,
    /// Where it leaves, and where the one that comes was woken from; 0: not reported.
    pub(crate) sites: [u64; 2],
    /// CPU time of the thread that leaves since it came, as the kernel accounts it.
    pub(crate) cpu_ns: Option<u64>,
    /// How long the recorder's programs ran on its account.
    pub(crate) recorder_ns: u64,
}

impl SwitchLayout {
    /// Reads the layout from the tracepoint's format; `None` if it is not as expected.
    pub(crate) fn parse(format: &str) -> Option<Self> {
        let id = format.lines().find_map(|line| line.strip_prefix("ID:"))?;
        let mut fields = [None; FIELDS.len()];
        let mut bytes = 0;
        for (name, offset, size) in format.lines().filter_map(parse_field) {
            bytes = bytes.max(offset + size);
            for (field, wanted) in fields.iter_mut().zip(FIELDS) {
                if name == wanted {
                    *field = Some((offset, size));
                }
            }
        }
        let mut found = [(0, 0); FIELDS.len()];
        for (place, field) in found.iter_mut().zip(fields) {
            *place = field?;
        }
        Some(Self {
            id: id.trim().parse().ok()?,
            fields: found,
            bytes,
        })
    }

    /// The threads of a switch: the one that leaves, the one that comes.
    pub(crate) fn threads(&self, payload: &[u8]) -> (u32, u32) {
        let [_, _, (leaver, _), _, _, _, (comer, _), _] = self.fields;
        (u32_at(payload, leaver), u32_at(payload, comer))
    }

    /// Makes a payload, followed by the sites and the CPU time if they are known.
    pub(crate) fn payload(&self, switch: &SwitchFields) -> Vec<u8> {
        let values: [&[u8]; FIELDS.len()] = [
            &switch.leaver_tid.to_ne_bytes(),
            &switch.leaver_name,
            &switch.leaver_tid.to_ne_bytes(),
            &switch.leaver_priority.to_ne_bytes(),
            &switch.state.to_ne_bytes(),
            &switch.comer_name,
            &switch.comer_tid.to_ne_bytes(),
            &switch.comer_priority.to_ne_bytes(),
        ];
        let mut payload = vec![0; self.bytes];
        let mut put = |offset: usize, value: &[u8]| {
            if let Some(place) = payload.get_mut(offset..offset + value.len()) {
                place.copy_from_slice(value);
            }
        };
        // `common_type` is always the first field.
        put(0, &self.id.to_ne_bytes());
        for ((offset, size), value) in self.fields.into_iter().zip(values) {
            put(offset, value.get(..size).unwrap_or(value));
        }
        let account = switch.cpu_ns.map(|ns| (ns, switch.recorder_ns));
        push_behind_switch(&mut payload, switch.sites, account);
        payload
    }
}

/// Name, offset and size from a line such as `field:pid_t prev_pid; offset:24; size:4; signed:1;`.
pub(crate) fn parse_field(line: &str) -> Option<(&str, usize, usize)> {
    let mut parts = line
        .trim()
        .strip_prefix("field:")?
        .split(';')
        .map(str::trim);
    let name = parts.next()?.split('[').next()?.rsplit(' ').next()?;
    let offset = parts.next()?.strip_prefix("offset:")?.parse().ok()?;
    let size = parts.next()?.strip_prefix("size:")?.parse().ok()?;
    Some((name, offset, size))
}
