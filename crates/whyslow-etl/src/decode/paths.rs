//! Paths in the form that users know: the kernel's `\Device\HarddiskVolume2\Windows` is
//! `C:\Windows`.
//!
//! A merge adds which device is which drive, and the folder of Windows. Seen in merged traces of
//! Windows 7 to 11; without it a path stays unchanged.

use crate::kernel;
use crate::record::Record;
use crate::value::Value;

/// Maximum number of mappings that are kept.
const MOST: usize = 1 << 10;

/// Beginnings of the kernel's paths, and the form that users know.
#[derive(Debug, Default)]
pub(super) struct Paths {
    starts: Vec<(String, String)>,
}

impl Paths {
    /// Learns what an event of a merge says; other events are ignored.
    pub(super) fn learn(&mut self, record: &Record<'_>) {
        let Some(event) = kernel::describe(record).filter(|event| event.class == "SysConfig")
        else {
            return;
        };
        let fields = event.fields(record.payload(), record.pointer_size());
        let mut texts = fields.filter_map(|(_, value)| match value {
            Value::Utf16(text) => Some(text.to_string()),
            _ => None,
        });
        let (Some(first), Some(second)) = (texts.next(), texts.next()) else {
            return;
        };
        if self.starts.len() >= MOST || first.is_empty() {
            return;
        }
        match event.name {
            "VolumeMapping" => self.starts.push((first, second)),
            // Unloads of images leave out the drive.
            "SystemPaths" => {
                let drive = second.get(..2).filter(|drive| drive.ends_with(':'));
                if let Some((drive, path)) = drive.zip(second.get(2..)) {
                    self.starts
                        .push((path.to_owned(), format!("{drive}{path}")));
                }
            }
            _ => {}
        }
    }

    /// Returns a path in the form that users know; `None` if it is not a path of the kernel's, or
    /// needs no change.
    pub(super) fn known_as(&self, path: &str) -> Option<String> {
        let longest = self
            .starts
            .iter()
            .filter(|(start, _)| {
                let same = path.get(..start.len());
                same.is_some_and(|same| same.eq_ignore_ascii_case(start))
            })
            .max_by_key(|(start, _)| start.len());
        if let Some((start, known)) = longest {
            let rest = path.get(start.len()..)?;
            return Some(format!("{known}{rest}"));
        }
        let share = path.strip_prefix("\\Device\\Mup\\")?;
        Some(format!("\\\\{share}"))
    }
}
