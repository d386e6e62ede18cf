use std::collections::{BTreeMap, BTreeSet};

use super::*;

type Names = &'static [&'static str];

/// Elements of the schema, as far as the profile needs them, from Microsoft's reference: required
/// attributes, optional attributes, and children in order.
const SCHEMA: &[(&str, Names, Names, Names)] = &[
    (
        "WindowsPerformanceRecorder",
        &["Version"],
        &["Author"],
        &["Profiles", "TraceMergeProperties"],
    ),
    (
        "Profiles",
        &[],
        &[],
        &[
            "SystemCollector",
            "EventCollector",
            "SystemProvider",
            "EventProvider",
            "Profile",
        ],
    ),
    (
        "SystemCollector",
        &["Id", "Name"],
        &["Base"],
        &["BufferSize", "Buffers", "StackCaching"],
    ),
    (
        "EventCollector",
        &["Id", "Name"],
        &["Base"],
        &["BufferSize", "Buffers", "StackCaching"],
    ),
    ("BufferSize", &["Value"], &[], &[]),
    ("Buffers", &["Value"], &["PercentageOfTotalMemory"], &[]),
    ("StackCaching", &["BucketCount", "CacheSize"], &[], &[]),
    (
        "SystemProvider",
        &["Id"],
        &["Base"],
        &["Keywords", "Stacks"],
    ),
    ("Keywords", &[], &["Operation"], &["Keyword"]),
    ("Keyword", &["Value"], &[], &[]),
    ("Stacks", &[], &["Operation"], &["Stack"]),
    ("Stack", &["Value"], &[], &[]),
    (
        "EventProvider",
        &["Id", "Name"],
        &["NonPagedMemory", "Level", "Stack", "Base"],
        &["Keywords", "CaptureStateOnStart", "CaptureStateOnSave"],
    ),
    ("CaptureStateOnSave", &[], &["Operation"], &["Keyword"]),
    (
        "Profile",
        &["Id", "Name", "Description", "DetailLevel", "LoggingMode"],
        &["Base"],
        &["ProblemCategories", "Collectors"],
    ),
    (
        "Collectors",
        &[],
        &["Operation"],
        &["SystemCollectorId", "EventCollectorId"],
    ),
    ("SystemCollectorId", &["Value"], &[], &["SystemProviderId"]),
    ("SystemProviderId", &["Value"], &[], &[]),
    ("EventCollectorId", &["Value"], &[], &["EventProviders"]),
    ("EventProviders", &[], &["Operation"], &["EventProviderId"]),
    ("EventProviderId", &["Value"], &[], &[]),
    ("TraceMergeProperties", &[], &[], &["TraceMergeProperty"]),
    (
        "TraceMergeProperty",
        &["Id", "Name"],
        &[],
        &[
            "DeletePreMergedTraceFiles",
            "FileCompression",
            "CustomEvents",
        ],
    ),
    ("DeletePreMergedTraceFiles", &["Value"], &[], &[]),
    ("FileCompression", &["Value"], &[], &[]),
    ("CustomEvents", &[], &["Operation"], &["CustomEvent"]),
    ("CustomEvent", &["Value"], &[], &[]),
];

/// Kernel events named in the reference or in Microsoft's own profiles.
const KEYWORDS: &[&str] = &[
    "AllFaults",
    "CompactCSwitch",
    "CpuConfig",
    "CSwitch",
    "DiskIO",
    "DiskIOInit",
    "DPC",
    "Drivers",
    "FileIO",
    "FileIOInit",
    "Filename",
    "FilterIO",
    "FootPrint",
    "Handle",
    "HardFaults",
    "IdleStates",
    "Interrupt",
    "KernelQueue",
    "Loader",
    "Memory",
    "MemoryInfo",
    "MemoryInfoWS",
    "Pool",
    "Power",
    "ProcessCounter",
    "ProcessThread",
    "ReadyThread",
    "Registry",
    "SampledProfile",
    "SpinLock",
    "SplitIO",
    "SystemCall",
    "ThreadPriority",
    "Timer",
    "VirtualAllocation",
];
/// The same for stacks.
const STACKS: &[&str] = &[
    "CSwitch",
    "DiskFlushInit",
    "DiskReadInit",
    "DiskWriteInit",
    "FileCleanup",
    "FileClose",
    "FileCreate",
    "FileDelete",
    "FileDirEnum",
    "FileDirNotify",
    "FileFlush",
    "FileFSCTL",
    "FileOpEnd",
    "FileQueryInformation",
    "FileRead",
    "FileRename",
    "FileSetInformation",
    "FileWrite",
    "HandleClose",
    "HandleCreate",
    "HandleDuplicate",
    "HardFault",
    "ImageLoad",
    "ImageUnload",
    "ProcessCreate",
    "ProcessDelete",
    "ReadyThread",
    "SampledProfile",
    "ThreadCreate",
    "ThreadDelete",
    "VirtualAllocation",
    "VirtualFree",
];

/// An element: name, attributes, children.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
}

/// Reads XML of elements and attributes; panics on anything else, or if it is not well-formed.
fn parse(text: &str) -> Element {
    let mut open = vec![Element::default()];
    let mut rest = text.trim();
    while let Some(tag) = rest.strip_prefix('<') {
        let (tag, after) = tag.split_once('>').unwrap();
        rest = after.trim_start();
        if tag.starts_with('?') || tag.starts_with("!--") {
            let comment = tag
                .strip_prefix("!--")
                .and_then(|tag| tag.strip_suffix("--"));
            assert!(tag.ends_with('?') || comment.is_some_and(|text| !text.contains("--")));
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().unwrap();
            assert_eq!(element.name, name);
            open.last_mut().unwrap().children.push(element);
            continue;
        }
        let (tag, is_empty) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, mut words) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut element = Element {
            name: name.to_owned(),
            ..Element::default()
        };
        while let Some((key, value)) = words.split_once("=\"") {
            let (value, after) = value.split_once('"').unwrap();
            assert!(!value.contains(['<', '&']));
            let old = element
                .attributes
                .insert(key.trim().to_owned(), value.to_owned());
            assert_eq!(old, None, "{tag}");
            words = after;
        }
        assert_eq!(words.trim(), "", "{tag}");
        if is_empty {
            open.last_mut().unwrap().children.push(element);
        } else {
            open.push(element);
        }
    }
    assert_eq!((rest, open.len()), ("", 1));
    let mut all = open.pop().unwrap().children;
    assert_eq!(all.len(), 1);
    all.pop().unwrap()
}

fn check(element: &Element) {
    let name = element.name.as_str();
    let known = SCHEMA.iter().find(|(known, ..)| *known == name);
    let (_, needed, allowed, children) = known.unwrap_or_else(|| panic!("<{name}> is unknown"));
    for key in *needed {
        assert!(
            element.attributes.contains_key(*key),
            "<{name}> needs {key}"
        );
    }
    for key in element.attributes.keys() {
        assert!(
            needed.iter().chain(*allowed).any(|known| known == key),
            "<{name} {key}>"
        );
    }
    let order = element.children.iter().map(|child| {
        let place = children.iter().position(|known| *known == child.name);
        place.unwrap_or_else(|| panic!("<{}> in <{name}>", child.name))
    });
    assert!(order.is_sorted(), "children of <{name}>");
    element.children.iter().for_each(check);
}

fn all<'a>(element: &'a Element, name: &str, found: &mut Vec<&'a Element>) {
    if element.name == name {
        found.push(element);
    }
    element
        .children
        .iter()
        .for_each(|child| all(child, name, found));
}

/// Returns an attribute of every element with a name.
fn values<'a>(root: &'a Element, name: &str, key: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    all(root, name, &mut found);
    found
        .into_iter()
        .map(|element| element.attributes[key].as_str())
        .collect()
}

#[test]
fn the_profile_follows_the_schema() {
    let root = parse(&profile());
    check(&root);
    for (referring, defined) in [
        ("SystemCollectorId", "SystemCollector"),
        ("EventCollectorId", "EventCollector"),
        ("SystemProviderId", "SystemProvider"),
        ("EventProviderId", "EventProvider"),
    ] {
        let ids = values(&root, defined, "Id");
        let distinct: BTreeSet<_> = ids.iter().copied().collect();
        assert_eq!(distinct.len(), ids.len(), "{defined}");
        let used: BTreeSet<_> = values(&root, referring, "Value").into_iter().collect();
        assert_eq!(used, distinct, "each is there and used");
    }
    for id in values(&root, "Profile", "Id") {
        assert_eq!(id.split('.').count(), 3);
        assert!(id.starts_with("Whyslow."));
    }
}

#[test]
fn profiles_are_for_each_detail_and_mode() {
    let root = parse(&profile());
    let ids = [
        "Verbose.File",
        "Light.File",
        "Verbose.Memory",
        "Light.Memory",
    ];
    assert_eq!(
        values(&root, "Profile", "Id"),
        ids.map(|id| format!("Whyslow.{id}"))
    );
    let mut found = Vec::new();
    all(&root, "Profile", &mut found);
    for profile in found {
        let text = |key| profile.attributes[key].as_str();
        let id = [text("Name"), text("DetailLevel"), text("LoggingMode")].join(".");
        assert_eq!(id, text("Id"));
        // This is one of the variants of the .NET provider, which share a name.
        let of_net = values(profile, "EventProviderId", "Value");
        assert_eq!(
            of_net.iter().filter(|id| id.starts_with("DotNet")).count(),
            1
        );
    }
}

#[test]
fn events_and_stacks_are_known() {
    let root = parse(&profile());
    for provider in ["SystemProvider", "EventProvider"] {
        let mut found = Vec::new();
        all(&root, provider, &mut found);
        for element in found {
            for keyword in values(element, "Keyword", "Value") {
                let is_mask = keyword.strip_prefix("0x");
                let is_mask = is_mask.is_some_and(|hex| u64::from_str_radix(hex, 16).is_ok());
                let is_system = provider == "SystemProvider";
                assert!(
                    if is_system {
                        KEYWORDS.contains(&keyword)
                    } else {
                        is_mask
                    },
                    "{keyword}"
                );
            }
            for stack in values(element, "Stack", "Value") {
                assert!(STACKS.contains(&stack), "{stack}");
            }
        }
    }
    let of_kernel = |id: &str| {
        let mut found = Vec::new();
        all(&root, "SystemProvider", &mut found);
        let one = found
            .into_iter()
            .find(|one| one.attributes["Id"] == id)
            .unwrap();
        values(one, "Keyword", "Value")
            .into_iter()
            .collect::<BTreeSet<_>>()
    };
    assert!(
        of_kernel("KernelLight").is_disjoint(&of_kernel("KernelFull")),
        "the base is added to"
    );
    assert!(of_kernel("KernelLight").contains("CSwitch"));
    assert!(of_kernel("KernelFull").contains("ReadyThread"));
}
