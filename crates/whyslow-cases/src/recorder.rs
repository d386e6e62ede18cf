//! The program under test: how it is called, and which form its answers have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::finding::{self, Finding};
use crate::options::Options;
use crate::prose;

/// `whyslow`, and whether it writes findings as JSON.
#[derive(Debug)]
pub(crate) struct Recorder {
    program: PathBuf,
    structured: bool,
}

impl Recorder {
    /// Looks at the program, and whether it knows the structured form.
    pub(crate) fn find(options: &Options) -> Result<Self, String> {
        let program = options.whyslow.clone();
        let help = Command::new(&program)
            .args(["run", "--help"])
            .stdin(Stdio::null())
            .output();
        let help = help.map_err(|error| format!("{}: {error}", program.display()))?;
        let knows = String::from_utf8_lossy(&help.stdout).contains("--format");
        Ok(Self {
            program,
            structured: knows && !options.text,
        })
    }

    /// What is scored.
    pub(crate) fn describe(&self) -> String {
        let form = match self.structured {
            true => "by its findings in JSON",
            false => "by words in its text (an adapter, not exact)",
        };
        format!("{}, {form}", self.program.display())
    }

    /// Records a command; the answer goes to `answer`, with an extension for its form.
    pub(crate) fn command(&self, words: &[String], answer: &Path) -> Vec<String> {
        let mut all = vec![
            self.program.to_string_lossy().into_owned(),
            "run".to_owned(),
        ];
        if self.structured {
            let file = answer.with_extension("json").to_string_lossy().into_owned();
            all.extend(["--format", "json", "-o"].map(str::to_owned));
            all.push(file);
        }
        all.push("--".to_owned());
        all.extend_from_slice(words);
        all
    }

    /// Reads the answer that was kept.
    pub(crate) fn findings(&self, answer: &Path) -> Result<Vec<Finding>, String> {
        let path = answer.with_extension(if self.structured { "json" } else { "txt" });
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        match self.structured {
            true => finding::of_json(&text),
            false => Ok(prose::findings(&text)),
        }
    }
}
