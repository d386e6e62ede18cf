//! Which event a stack record belongs to.

use whyslow_etl::kernel::hooks::stack_walk;
use whyslow_etl::{Extended, Guid, Identity, Record, kernel};

use whyslow_model::FastMap;

use crate::seen::StackFor;

/// Providers of the .NET runtime, and the id of each one's stack records: the runtime's own, the
/// rundown's, the private one's and the stress tests' (source: `ClrEtwAll.man` of the runtime).
const DOTNET: [(Guid, u16); 4] = [
    (
        Guid::new(
            0xe13c_0d23,
            0xccbc,
            0x4e12,
            *b"\x93\x1b\xd9\xcc\x2e\xee\x27\xe4",
        ),
        82,
    ),
    (
        Guid::new(
            0xa669_021c,
            0xc450,
            0x4609,
            *b"\xa0\x35\x5a\xf5\x9a\xf4\xdf\x18",
        ),
        0,
    ),
    (
        Guid::new(
            0x763f_d754,
            0x7086,
            0x4dfe,
            *b"\x95\xeb\xc0\x1a\x46\xfa\xf4\xca",
        ),
        151,
    ),
    (
        Guid::new(
            0xcc2b_cbba,
            0x16b6,
            0x4cf3,
            *b"\x89\x90\xd7\x4c\x2e\x8a\xf5\x00",
        ),
        1,
    ),
];

/// Maximum number of threads whose last event is kept.
const MOST_THREADS: usize = 1 << 16;

/// Finds the event of each stack record.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    /// Raw time of the last event of a .NET provider that a thread wrote.
    last: FastMap<(Guid, u32), i64>,
}

impl Stacks {
    /// Returns which event a stack record belongs to; `None` if the record has no stack.
    ///
    /// The kernel names the event by its time and thread. The runtime writes a stack right after
    /// its event, in the same thread.
    #[inline]
    pub(crate) fn take(&mut self, record: &Record<'_>) -> Option<StackFor> {
        if let Some((hook, _)) = kernel::hook(record) {
            return match hook {
                stack_walk::STACK | stack_walk::KERNEL_KEY | stack_walk::USER_KEY => {
                    of_kernel(record)
                }
                _ => None,
            };
        }
        let Identity::Event(event) = record.identity() else {
            return None;
        };
        let of_provider = |(provider, _): &&(Guid, u16)| *provider == event.provider;
        let (provider, walk) = DOTNET.iter().find(of_provider)?;
        let thread = record.thread_id()?;
        if event.id == *walk {
            return Some(StackFor {
                raw_time: self.last.remove(&(*provider, thread))?,
                tid: Some(thread.into()),
                cpu: Some(record.cpu.into()),
            });
        }
        if self.last.len() < MOST_THREADS {
            self.last.insert((*provider, thread), record.raw_time);
        }
        None
    }
}

fn of_kernel(record: &Record<'_>) -> Option<StackFor> {
    let (time, rest) = record.payload().split_first_chunk::<8>()?;
    let (_, rest) = rest.split_first_chunk::<4>()?;
    let (thread, _) = rest.split_first_chunk::<4>()?;
    Some(StackFor {
        raw_time: i64::from_le_bytes(*time),
        tid: Some(u32::from_le_bytes(*thread).into()),
        cpu: Some(record.cpu.into()),
    })
}

/// Returns whether an extended item is a stack.
pub(crate) fn is_stack(item: &Extended<'_>) -> bool {
    matches!(item, Extended::Stack { .. } | Extended::StackKey { .. })
}
