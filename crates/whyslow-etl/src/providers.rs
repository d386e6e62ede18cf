//! Descriptions of the events of well-known providers, for traces that lack them.
//!
//! A manifest provider of Windows is described on the machine that records. Only some recorders
//! copy the descriptions into the trace. For the others, the names of events, fields and values of
//! important providers are shipped here. A table is read when its provider is first used, and costs
//! nothing before.
//!
//! # Which description counts
//!
//! What a trace itself says ([`manifest`](crate::manifest), [`Schema::from_event_info`]) comes from
//! the machine that wrote the event and is preferred, except where [`overrules`] says otherwise. A
//! version newer than those in the table is read with the newest known layout, because providers
//! add fields at the end: bytes may be left over.
//!
//! # Where the facts come from
//!
//! Names, numbers and types of fields are interface facts; they were taken from manifests and
//! parsers whose licences allow it, without their texts:
//!
//! * .NET runtime, rundown, stress and private: `ClrEtwAll.man` of the .NET runtime (MIT) as of
//!   2019, and for newer events and values the CLR parser of `TraceEvent` (MIT). Names of what the
//!   collector did and of the reasons why native images were rejected: the enumerations in the
//!   runtime's sources (MIT).
//! * The kernel's providers, `HttpService`, `WinINet` and TCPIP: the manifests of Tx (Apache-2.0), of
//!   Windows 7 and 8. PowerShell: that of PowerShell 7 (MIT). Antimalware engine: `TraceEvent` (MIT).
//! * Later events and versions of these, and the other providers: etl-parser of Airbus
//!   (Apache-2.0), from a 64-bit Windows 10. It does not distinguish pointers, times and
//!   hexadecimal numbers from other numbers, nor arrays from single values, and names no events. If
//!   a field of the same name is known from another event of the provider, its type was taken;
//!   names of TCPIP events are those of `TraceEvent`.
//!
//! Every event of these providers in our real traces is decoded in a test, and compared with the
//! trace's own description where it has one: .NET, Kernel-Process, -File, -Network and
//! -EventTracing, DNS-Client, `HttpService`, `WinRM` and PowerShell. The other tables were not
//! compared with events.

mod table;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::bytes::u32_at;
use crate::guid::Guid;
use crate::pointer::{PointerSize, Pointers};
use crate::record::Descriptor;
use crate::schema::{Map, Schema};
use table::Table;

const RUNTIME: Guid = Guid::new(
    0xe13c_0d23,
    0xccbc,
    0x4e12,
    [0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4],
);

/// Returns the frames in an event `CLRStackWalk` (82) of the .NET runtime, the innermost first: the
/// stack of the thread's last event. Descriptions of that event wrongly have a fixed number of them.
pub fn dotnet_stack(payload: &[u8], pointer: PointerSize) -> Option<Pointers<'_>> {
    let count = usize::try_from(u32_at(payload, 4)?).ok()?;
    let frames = payload.get(8..)?;
    let bytes = count.saturating_mul(pointer.bytes()).min(frames.len());
    Some(Pointers::new(frames.get(..bytes)?, pointer))
}

/// The tables.
const TEXTS: &[&str] = &[
    include_str!("providers/amsi.txt"),
    include_str!("providers/antimalware-engine.txt"),
    include_str!("providers/antimalware-filter.txt"),
    include_str!("providers/antimalware-protection.txt"),
    include_str!("providers/antimalware-rtp.txt"),
    include_str!("providers/antimalware-service.txt"),
    include_str!("providers/defender.txt"),
    include_str!("providers/diagnostics-performance.txt"),
    include_str!("providers/dns-client.txt"),
    include_str!("providers/dotnet-private.txt"),
    include_str!("providers/dotnet-rundown.txt"),
    include_str!("providers/dotnet-runtime.txt"),
    include_str!("providers/dotnet-stress.txt"),
    include_str!("providers/filtermanager.txt"),
    include_str!("providers/httpservice.txt"),
    include_str!("providers/kerberos.txt"),
    include_str!("providers/kernel-disk.txt"),
    include_str!("providers/kernel-eventtracing.txt"),
    include_str!("providers/kernel-file.txt"),
    include_str!("providers/kernel-general.txt"),
    include_str!("providers/kernel-io.txt"),
    include_str!("providers/kernel-memory.txt"),
    include_str!("providers/kernel-network.txt"),
    include_str!("providers/kernel-power.txt"),
    include_str!("providers/kernel-prefetch.txt"),
    include_str!("providers/kernel-process.txt"),
    include_str!("providers/kernel-processor-power.txt"),
    include_str!("providers/kernel-registry.txt"),
    include_str!("providers/kernel-storemgr.txt"),
    include_str!("providers/ldap-client.txt"),
    include_str!("providers/ntlm.txt"),
    include_str!("providers/powershell-core.txt"),
    include_str!("providers/powershell.txt"),
    include_str!("providers/rpc.txt"),
    include_str!("providers/smbclient.txt"),
    include_str!("providers/smbserver.txt"),
    include_str!("providers/storport.txt"),
    include_str!("providers/superfetch.txt"),
    include_str!("providers/tcpip.txt"),
    include_str!("providers/user-profiles-service.txt"),
    include_str!("providers/webio.txt"),
    include_str!("providers/win32k.txt"),
    include_str!("providers/winhttp.txt"),
    include_str!("providers/wininet.txt"),
    include_str!("providers/winlogon.txt"),
    include_str!("providers/winrm.txt"),
    include_str!("providers/winsock-afd.txt"),
    include_str!("providers/winsock-nameresolution.txt"),
    include_str!("providers/wmi-activity.txt"),
];

/// Names of providers without a table, a GUID and a name per line.
const NAMES: &str = include_str!("providers/names.txt");

#[derive(Debug, Default)]
struct Provider {
    name: &'static str,
    /// Empty if there is no table.
    text: &'static str,
    table: OnceLock<Table>,
}

impl Provider {
    fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::read(self.text))
    }
}

/// Returns the description of an event of a well-known provider; `None` if neither this version nor
/// an earlier one is known.
pub fn schema(event: &Descriptor) -> Option<&'static Schema> {
    let provider = known().get(&event.provider)?;
    provider.table().schema(event.id, event.version)
}

/// Returns the map of a well-known provider's values that [`Items::map_name`](crate::schema::Items)
/// names.
pub fn map(provider: Guid, name: &str) -> Option<&'static Map> {
    known().get(&provider)?.table().map(name)
}

/// Returns the name of a well-known provider.
pub fn name(provider: Guid) -> Option<&'static str> {
    known().get(&provider).map(|provider| provider.name)
}

/// Returns whether the shipped description is better than the trace's own: manifests of the .NET
/// runtime declare two frames in its stack walk (id 82), although the number is given in a field.
pub fn overrules(event: &Descriptor) -> bool {
    event.provider == RUNTIME && event.id == 82
}

fn known() -> &'static BTreeMap<Guid, Provider> {
    static KNOWN: OnceLock<BTreeMap<Guid, Provider>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let entry = |name, text| Provider {
            name,
            text,
            table: OnceLock::new(),
        };
        let mut known = BTreeMap::new();
        for line in NAMES.lines() {
            known.extend(table::head(line).map(|(guid, name)| (guid, entry(name, ""))));
        }
        for text in TEXTS {
            known.extend(table::head(text).map(|(guid, name)| (guid, entry(name, text))));
        }
        known
    })
}

#[cfg(test)]
pub(crate) fn texts() -> &'static [&'static str] {
    TEXTS
}
