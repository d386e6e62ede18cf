//! Names of kinds of events.

use std::sync::Arc;

use super::{About, Described, DescribedBy, FieldSource, dotnet, fields, name_of};
use crate::guid::Guid;
use crate::kernel;
use crate::record::{Descriptor, Identity, Record};
use crate::tracelogging::TraceLogging;

const KERNEL: &str = "Windows Kernel";
const TRACE_CONTROL: &str = "KernelTraceControl";

/// Groups of kernel events that have no layouts here.
const OTHER_GROUPS: &[(u8, &str)] = &[
    (0x07, "Job"),
    (0x0a, "DbgPrint"),
    (0x0d, "WNF"),
    (0x0e, "Pool"),
    (0x10, "Heap"),
    (0x12, "Power"),
    (0x13, "ModBound"),
    (0x15, "DPC"),
    (0x16, "CC"),
    (0x17, "CritSec"),
    (0x19, "UMS"),
    (0x1c, "ThreadPool"),
    (0x1d, "HypervisorTrace"),
    (0x1e, "HypervisorX"),
];

/// The class of descriptions that a merge adds.
const METADATA: Guid = crate::schema::EVENT_METADATA;

/// Names an event of the kernel, or one that a merge has added; `None` for others.
pub(super) fn of_kernel(record: &Record<'_>) -> Option<About> {
    let hook = kernel::hook(record);
    let (class, opcode) = match (hook, record.identity()) {
        (Some((hook, _)), _) => (group_name(hook.group), hook.opcode),
        (None, Identity::Classic { class, opcode, .. }) => match kernel::merged_class_name(class) {
            Some(name) => (Arc::from(name), opcode),
            None if class == METADATA => return Some(of_metadata(opcode)),
            None => return None,
        },
        _ => return None,
    };
    let event = kernel::describe(record);
    let name = match event {
        // The reference uses the classes of these.
        Some(event) => match (event.class, event.name) {
            ("Memory", "VirtualAlloc") => "VirtualMem/Alloc".into(),
            ("Memory", "VirtualFree") => "VirtualMem/Free".into(),
            ("Thread", "ReadyThread") => "Dispatcher/ReadyThread".into(),
            ("EventTrace", "Header") => "EventTrace".into(),
            ("ImageID", "Info") => "ImageID".into(),
            (class, name) => format!("{class}/{name}").into(),
        },
        None => format!("{class}/Opcode({opcode})").into(),
    };
    let is_image = &*class == "ImageID";
    Some(About {
        provider: if is_image { TRACE_CONTROL } else { KERNEL }.into(),
        guid: match record.identity() {
            Identity::Classic { class, .. } => class,
            _ => Guid::default(),
        },
        name,
        id: match hook {
            Some((hook, _)) => format!("0x{:02x}{:02x}", hook.group, hook.opcode).into(),
            None => format!("opcode {opcode}").into(),
        },
        described_by: match event {
            Some(_) => DescribedBy::Kernel,
            None => DescribedBy::Nothing,
        },
        source: event.map_or(FieldSource::Raw, |event| {
            FieldSource::Kernel(event, fields::shown_names(&event))
        }),
    })
}

fn group_name(group: u8) -> Arc<str> {
    let other = || OTHER_GROUPS.iter().find(|(of, _)| *of == group);
    match kernel::class_name(group).or_else(|| other().map(|(_, name)| *name)) {
        Some(name) => name.into(),
        None => format!("Group(0x{group:02x})").into(),
    }
}

/// Names a description that a merge has added. Its content is used; only its subject is shown.
fn of_metadata(opcode: u8) -> About {
    let name = match opcode {
        32 => "MetaData/EventInfo".into(),
        33 => "MetaData/EventMapInfo".into(),
        _ => format!("MetaData/Opcode({opcode})").into(),
    };
    About {
        provider: TRACE_CONTROL.into(),
        guid: METADATA,
        name,
        id: format!("opcode {opcode}").into(),
        described_by: match opcode {
            32 => DescribedBy::Kernel,
            _ => DescribedBy::Nothing,
        },
        source: match opcode {
            32 => FieldSource::Metadata,
            _ => FieldSource::Raw,
        },
    }
}

/// Names an event from its description.
pub(super) fn of_schema(event: &Descriptor, schema: Described, described_by: DescribedBy) -> About {
    let opcode = schema.opcode.trim_start_matches("win:");
    let name = match (schema.task.as_str(), schema.name.as_str()) {
        ("", "") => format!("EventID({})", event.id),
        ("", name) => name.to_owned(),
        (task, _) if ["", "Info"].contains(&opcode) => task.to_owned(),
        (task, _) => format!("{task}/{opcode}"),
    };
    let name = dotnet::name(event).map_or(name, ToOwned::to_owned);
    About {
        provider: named_or(&schema.provider_name, event.provider),
        guid: event.provider,
        name: name.into(),
        id: event.id.to_string().into(),
        described_by,
        source: FieldSource::Schema(schema),
    }
}

/// Names an event that describes itself.
pub(super) fn of_itself(
    event: &Descriptor,
    itself: &TraceLogging<'_>,
    provider: Option<Arc<str>>,
) -> About {
    let own = name_of(itself.provider);
    let provider = provider.filter(|_| own.is_empty());
    let opcode = match event.opcode {
        1 => "/Start",
        2 => "/Stop",
        _ => "",
    };
    About {
        provider: provider.unwrap_or_else(|| named_or(&own, event.provider)),
        guid: event.provider,
        name: format!("{}{opcode}", name_of(itself.name)).into(),
        id: match event.id {
            0 => "".into(),
            id => id.to_string().into(),
        },
        described_by: DescribedBy::Itself,
        source: FieldSource::Itself,
    }
}

/// Names an event without a description.
pub(super) fn of_nothing(event: &Descriptor, provider: Option<Arc<str>>) -> About {
    // An event source's manifest, which explains its other events.
    let is_manifest = (event.id, event.opcode) == (0xfffe, 0xfe);
    let name = match dotnet::name(event) {
        _ if is_manifest => "ManifestData".into(),
        Some(name) => name.into(),
        None => format!("EventID({})", event.id).into(),
    };
    About {
        provider: provider.unwrap_or_else(|| event.provider.to_string().into()),
        guid: event.provider,
        name,
        id: event.id.to_string().into(),
        described_by: match is_manifest {
            true => DescribedBy::Itself,
            false => DescribedBy::Nothing,
        },
        source: match is_manifest {
            true => FieldSource::Manifest,
            false => FieldSource::Raw,
        },
    }
}

/// Names an event that comes neither from the kernel nor from a manifest.
pub(super) fn of_others(record: &Record<'_>) -> About {
    let (guid, name, id) = match record.identity() {
        Identity::Classic { class, opcode, .. } => {
            let name = format!("Task({class})/Opcode({opcode})");
            (class, name, format!("opcode {opcode}"))
        }
        Identity::Message { source, number } => {
            (source, format!("Message({number})"), number.to_string())
        }
        _ => (Guid::default(), "Error".to_owned(), String::new()),
    };
    About {
        provider: guid.to_string().into(),
        guid,
        name: name.into(),
        id: id.into(),
        described_by: DescribedBy::Nothing,
        source: FieldSource::Raw,
    }
}

fn named_or(name: &str, guid: Guid) -> Arc<str> {
    if name.is_empty() {
        guid.to_string().into()
    } else {
        name.into()
    }
}
