//! What a trace holds, found out before it is imported: whether there are switches and wake-ups
//! decides what the first event already means.

use whyslow_etl::{Identity, Reader, Source};

use super::Error;
use crate::importer::Recording;

/// Events after the first switch among which there is a wake-up, if wake-ups are recorded.
const ENOUGH: u32 = 1 << 17;

/// Looks at the traces' events until it is clear what they hold.
pub(super) fn recording<S: Source>(sources: &[S]) -> Result<Recording, Error> {
    let mut recording = Recording {
        switches: false,
        wake_ups: false,
        whole_machine: true,
        late_user_halves: false,
        late_events: false,
        told_first: false,
    };
    for source in sources {
        let mut reader = Reader::new(source)?;
        let mut left = ENOUGH;
        while left > 0 {
            let Some(record) = reader.next_record()? else {
                break;
            };
            if let Identity::Kernel {
                group: 5, opcode, ..
            } = record.identity()
            {
                recording.switches |= matches!(opcode, 36 | 37);
                recording.wake_ups |= opcode == 50;
            }
            if recording.switches && recording.wake_ups {
                return Ok(recording);
            }
            left -= u32::from(recording.switches);
        }
    }
    Ok(recording)
}
