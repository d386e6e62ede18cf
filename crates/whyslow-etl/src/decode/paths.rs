//! Paths as users know them: the kernel's `\Device\HarddiskVolume2\Windows` is `C:\Windows`.
//!
//! A merge adds which device is which drive, and where Windows lies. Seen in merged traces of Windows
//! 7 to 11; without it a path stays as it is.

use crate::kernel;
use crate::record::Record;
use crate::value::Value;

/// Most mappings that are kept.
const MOST: usize = 1 << 10;

/// What the kernel's paths begin with, and what users know it as.
#[derive(Debug, Default)]
pub(super) struct Paths {
    starts: Vec<(String, String)>,
}

impl Paths {
    /// Takes what an event of a merge says; others say nothing.
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
            // Unloads of images leave the drive out.
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

    /// Returns a path as users know it; `None` where it is no path of the kernel's, or stays as it
    /// is.
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
