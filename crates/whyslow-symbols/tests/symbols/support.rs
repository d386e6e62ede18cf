//! What the integration tests share: scratch folders, tools, and calling the symbolizer.

use std::path::{Path, PathBuf};
use std::process::Command;

use whyslow_testenv::{Feature, has, need};

use whyslow_symbols::{ModuleRef, ModuleReport, Names, Reason, Resolution, Symbolizer};

/// A folder that is removed when the test ends.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("whyslow-symbols-{name}-{id}"));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _cleaned = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a tool; `None` (and a line that says so) when it is missing or fails.
pub(crate) fn tool(program: &str, arguments: &[&str]) -> Option<String> {
    let feature = match program {
        "perf" => Feature::Perf,
        "rustc" => Feature::Rustc,
        "cc" | "g++" => Feature::Cc,
        "llvm-pdbutil-16" => Feature::Clang,
        _ => Feature::Binutils,
    };
    if !has(feature) {
        return None;
    }
    let done = match Command::new(program).args(arguments).output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(format!("{program} {arguments:?}: {why}"))
        }
        Err(error) => Err(format!("{program}: {error}")),
    };
    need(feature, done)
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// One frame in plain values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) function: String,
    pub(crate) offset: u64,
    pub(crate) inlined: bool,
    pub(crate) file: String,
    pub(crate) line: u32,
}

pub(crate) type Answer = Result<Vec<Frame>, Reason>;

/// Symbolizes and checks what must always hold: every index answered once, the counts right.
pub(crate) fn symbolize(
    symbolizer: &Symbolizer,
    module: &ModuleRef<'_>,
    addresses: &[u64],
) -> (Vec<Answer>, ModuleReport) {
    let mut names = Names::new();
    let mut answers: Vec<Option<Result<Vec<_>, Reason>>> = vec![None; addresses.len()];
    let report = symbolizer.symbolize_module(module, addresses, &mut names, &mut |index, found| {
        let answer = match found {
            Resolution::Frames(frames) => Ok(frames.to_vec()),
            Resolution::Unresolved(reason) => Err(reason),
        };
        assert!(answers[index].replace(answer).is_none(), "answered twice");
    });
    let answers: Vec<Answer> = answers
        .into_iter()
        .map(|answer| {
            let frames = answer.expect("every index is answered")?;
            assert!(!frames.is_empty());
            Ok(frames
                .iter()
                .map(|frame| Frame {
                    function: names.text(frame.function).to_owned(),
                    offset: frame.offset_bytes,
                    inlined: frame.inlined,
                    file: frame.file.map_or("", |id| names.text(id)).to_owned(),
                    line: frame.line.unwrap_or(0),
                })
                .collect())
        })
        .collect();
    let n_named = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(report.n_named, n_named);
    assert_eq!(report.n_unresolved, addresses.len() - n_named);
    (answers, report)
}

/// `function+offset` of the outermost frame, or the code of the reason.
pub(crate) fn brief(answer: &Answer) -> String {
    match answer {
        Ok(frames) => {
            let outermost = frames.last().unwrap();
            format!("{}+{:#x}", outermost.function, outermost.offset)
        }
        Err(reason) => reason.code().to_owned(),
    }
}
