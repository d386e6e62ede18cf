//! The recording profile (`.wprp`), in the order of elements that its schema requires: collectors,
//! system providers, event providers, profiles, then how the trace is merged.

/// Kernel events in every recording: processes, threads, images, CPU samples, context switches,
/// interrupts, disk I/O with file names, hard faults.
const LIGHT: &[&str] = &[
    "ProcessThread",
    "Loader",
    "CpuConfig",
    "SampledProfile",
    "CSwitch",
    "DPC",
    "Interrupt",
    "DiskIO",
    "Filename",
    "HardFaults",
];
/// Their stacks.
const LIGHT_STACKS: &[&str] = &["SampledProfile", "CSwitch"];
/// Additional events of a full recording: wake-ups, file operations, calls of mini-filters, the registry,
/// memory that processes get and have, handles, starts of disk I/O.
const FULL: &[&str] = &[
    "ReadyThread",
    "DiskIOInit",
    "FileIO",
    "FileIOInit",
    "FilterIO",
    "Registry",
    "VirtualAllocation",
    "Handle",
    "ProcessCounter",
    "MemoryInfoWS",
];
/// Their stacks.
const FULL_STACKS: &[&str] = &[
    "ReadyThread",
    "ThreadCreate",
    "ProcessCreate",
    "DiskReadInit",
    "DiskWriteInit",
    "DiskFlushInit",
    "FileCreate",
    "FileRead",
    "FileWrite",
    "FileFlush",
    "FileDelete",
    "FileRename",
    "FileDirEnum",
    "HardFault",
    "VirtualAllocation",
    "HandleCreate",
    "HandleDuplicate",
];

/// A provider of events.
struct Provider {
    id: &'static str,
    /// Name or GUID; `DotNetProvider` is the recorder's name for runtime and rundown together.
    name: &'static str,
    level: u8,
    keywords: u64,
    /// Keywords requested when the recording is stopped.
    at_the_end: u64,
    is_light: bool,
}

/// Bits of the .NET runtime: modules, jitted methods, and those that exist at the end.
const METHODS: u64 = 0x8 | 0x10 | 0x80;
/// Methods of native images, contentions, exceptions, the thread pool, garbage collections.
const RUNTIME: u64 = METHODS | 0x1 | 0x20 | 0x4000 | 0x8000 | 0x1_0000;
/// Bits of its rundown: modules, jitted methods, at the end.
const RUNDOWN: u64 = 0x8 | 0x10 | 0x100;

const PROVIDERS: &[Provider] = &[
    Provider {
        id: "DotNetLight",
        name: "DotNetProvider",
        level: 5,
        keywords: METHODS,
        at_the_end: RUNDOWN,
        is_light: true,
    },
    Provider {
        id: "DotNet",
        name: "DotNetProvider",
        level: 5,
        keywords: RUNTIME,
        at_the_end: RUNDOWN | 0x20,
        is_light: false,
    },
    Provider {
        id: "DnsClient",
        name: "Microsoft-Windows-DNS-Client",
        level: 5,
        keywords: 0,
        at_the_end: 0,
        is_light: true,
    },
    Provider {
        id: "KernelNetwork",
        name: "Microsoft-Windows-Kernel-Network",
        level: 4,
        keywords: 0x10 | 0x20,
        at_the_end: 0,
        is_light: false,
    },
    Provider {
        id: "TcpIp",
        name: "Microsoft-Windows-TCPIP",
        level: 4,
        // Diagnosis (retransmissions, timers), connecting, closing; no packets.
        keywords: 0x80 | 0x4_0000_0000 | 0x10_0000_0000,
        at_the_end: 0,
        is_light: false,
    },
];

/// Sizes of the buffers in MB: those of the kernel's events and of the others.
struct Room {
    id: &'static str,
    kernel_mb: u32,
    others_mb: u32,
}

/// A growing file needs buffers for data that the disk has not yet written; a circular recording
/// consists of its buffers.
const ROOMS: &[Room] = &[
    Room {
        id: "File",
        kernel_mb: 256,
        others_mb: 64,
    },
    Room {
        id: "Memory",
        kernel_mb: 1024,
        others_mb: 128,
    },
];

/// Returns the recording profile: one file with a light and a full profile, each for a growing file
/// and for memory.
pub fn profile() -> String {
    let mut out = Lines::default();
    out.line(r#"<?xml version="1.0" encoding="utf-8"?>"#);
    out.line("<!-- Made by whyslow; its docs/recording-windows.md explains how to use it. -->");
    out.open(r#"<WindowsPerformanceRecorder Version="1.0" Author="whyslow">"#);
    out.open("<Profiles>");
    collectors(&mut out);
    system_provider(&mut out, "KernelLight", "", LIGHT, LIGHT_STACKS);
    let base = r#" Base="KernelLight""#;
    system_provider(&mut out, "KernelFull", base, FULL, FULL_STACKS);
    for provider in PROVIDERS {
        event_provider(&mut out, provider);
    }
    for room in ROOMS {
        for is_light in [false, true] {
            one_profile(&mut out, room, is_light);
        }
    }
    out.close("</Profiles>");
    merge(&mut out);
    out.close("</WindowsPerformanceRecorder>");
    out.text
}

/// Lines of XML, indented.
#[derive(Default)]
struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    fn values(&mut self, element: &str, values: &[&str]) {
        for value in values {
            self.line(&format!(r#"<{element} Value="{value}"/>"#));
        }
    }
}

fn collectors(out: &mut Lines) {
    for room in ROOMS {
        let Room { id, kernel_mb, .. } = room;
        out.open(&format!(
            r#"<SystemCollector Id="Kernel{id}" Name="NT Kernel Logger">"#
        ));
        out.line(r#"<BufferSize Value="1024"/>"#);
        out.line(&format!(r#"<Buffers Value="{kernel_mb}"/>"#));
        // A repeated stack is written once.
        out.line(r#"<StackCaching BucketCount="256" CacheSize="3072"/>"#);
        out.close("</SystemCollector>");
    }
    for room in ROOMS {
        let Room { id, others_mb, .. } = room;
        out.open(&format!(
            r#"<EventCollector Id="Events{id}" Name="Whyslow Events">"#
        ));
        out.line(r#"<BufferSize Value="1024"/>"#);
        out.line(&format!(r#"<Buffers Value="{others_mb}"/>"#));
        out.close("</EventCollector>");
    }
}

fn system_provider(out: &mut Lines, id: &str, base: &str, keywords: &[&str], stacks: &[&str]) {
    out.open(&format!(r#"<SystemProvider Id="{id}"{base}>"#));
    out.open(r#"<Keywords Operation="Add">"#);
    out.values("Keyword", keywords);
    out.close("</Keywords>");
    out.open(r#"<Stacks Operation="Add">"#);
    out.values("Stack", stacks);
    out.close("</Stacks>");
    out.close("</SystemProvider>");
}

fn event_provider(out: &mut Lines, provider: &Provider) {
    let Provider {
        id, name, level, ..
    } = provider;
    let head =
        format!(r#"EventProvider Id="{id}" Name="{name}" NonPagedMemory="true" Level="{level}""#);
    if provider.keywords == 0 {
        return out.line(&format!("<{head}/>"));
    }
    out.open(&format!("<{head}>"));
    out.open("<Keywords>");
    out.line(&format!(r#"<Keyword Value="{:#x}"/>"#, provider.keywords));
    out.close("</Keywords>");
    if provider.at_the_end != 0 {
        out.open("<CaptureStateOnSave>");
        out.line(&format!(r#"<Keyword Value="{:#x}"/>"#, provider.at_the_end));
        out.close("</CaptureStateOnSave>");
    }
    out.close("</EventProvider>");
}

fn one_profile(out: &mut Lines, room: &Room, is_light: bool) {
    let name = super::PROFILE;
    let Room { id: mode, .. } = room;
    let (detail, kernel, what) = if is_light {
        ("Light", "KernelLight", "CPU, waits, disk, names")
    } else {
        (
            "Verbose",
            "KernelFull",
            "CPU, waits, wakers, disk, files, network, .NET",
        )
    };
    out.open(&format!(
        r#"<Profile Id="{name}.{detail}.{mode}" Name="{name}" Description="{what}" DetailLevel="{detail}" LoggingMode="{mode}">"#
    ));
    out.open(r#"<Collectors Operation="Add">"#);
    out.open(&format!(r#"<SystemCollectorId Value="Kernel{mode}">"#));
    out.line(&format!(r#"<SystemProviderId Value="{kernel}"/>"#));
    out.close("</SystemCollectorId>");
    out.open(&format!(r#"<EventCollectorId Value="Events{mode}">"#));
    out.open(r#"<EventProviders Operation="Add">"#);
    let of_net = if is_light { "DotNetLight" } else { "DotNet" };
    for provider in PROVIDERS {
        let is_net = provider.name == "DotNetProvider";
        if (is_net && provider.id == of_net) || (!is_net && (provider.is_light || !is_light)) {
            out.values("EventProviderId", &[provider.id]);
        }
    }
    out.close("</EventProviders>");
    out.close("</EventCollectorId>");
    out.close("</Collectors>");
    out.close("</Profile>");
}

/// The merged trace is compressed, with the versions and symbol ids of all modules and the
/// descriptions of all events, so that it can be read on another machine.
fn merge(out: &mut Lines) {
    out.open("<TraceMergeProperties>");
    out.open(r#"<TraceMergeProperty Id="TraceMerge_Default" Name="TraceMerge_Default">"#);
    out.line(r#"<DeletePreMergedTraceFiles Value="true"/>"#);
    out.line(r#"<FileCompression Value="true"/>"#);
    out.open(r#"<CustomEvents Operation="Add">"#);
    out.values(
        "CustomEvent",
        &[
            "ImageId",
            "BuildInfo",
            "VolumeMapping",
            "EventMetadata",
            "NetworkInterface",
        ],
    );
    out.close("</CustomEvents>");
    out.close("</TraceMergeProperty>");
    out.close("</TraceMergeProperties>");
}

#[cfg(test)]
mod tests;
