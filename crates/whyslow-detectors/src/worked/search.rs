//! Modules that are looked for in many folders while they are loaded.

use std::collections::BTreeSet;

use whyslow_model::FileOperation;
use whyslow_story::files::{Files, PathId, Use};
use whyslow_story::story::Story;
use whyslow_story::work::Work;

use crate::detector::Draft;
use crate::finding::{Message, Value};

/// Every program checks this many files as it starts.
const MANY_QUESTIONS: i64 = 5000;

/// This many checks for each module that is opened mean a search in many folders.
const SEARCH: i64 = 20;

/// A search makes most of the checks of the threads that load modules: at least this percentage.
const MOST: i64 = 75;

/// Endings of names of modules; a shared library may have a version after it.
const ENDINGS: [&str; 16] = [
    ".py", ".pyc", ".pyd", ".so", ".js", ".mjs", ".cjs", ".node", ".ts", ".jar", ".class", ".rb",
    ".pm", ".pl", ".php", ".lua",
];

/// Adds which files were checked while modules were loaded, if that was a long search for few of them.
pub(super) fn add(story: &Story<'_>, work: &Work, draft: Draft) -> Draft {
    let files = &story.files;
    let is_loading = |one: &Use| work.threads.contains_key(&one.thread);
    let sum = |wanted: &dyn Fn(&Use) -> bool| {
        let uses = files.uses.iter();
        let uses = uses.filter(|one| is_loading(one) && wanted(one));
        uses.fold(0_i64, |all, one| all.saturating_add(one.sum.count))
    };
    let modules = Modules::of(files, is_loading);
    let is_search =
        |one: &Use| is_loading(one) && one.is_question() && modules.is_looked_for(files, one);
    let asked = sum(&is_search);
    let opened = sum(&|one| modules.is_opened(one));
    let is_most = asked.saturating_mul(100) >= sum(&Use::is_question).saturating_mul(MOST);
    if asked < MANY_QUESTIONS || asked < opened.saturating_mul(SEARCH) || !is_most {
        return draft;
    }
    let object = files.object_by_pattern(is_search, |sum| sum.count);
    let draft = draft
        .fact("asked", Value::Count(asked))
        .fact("opened", Value::Count(opened));
    let draft = match object {
        Some(object) => draft
            .fact("object", Value::Text(object))
            .detail(Message::new(
                "It checked {object} {asked} times, and opened {opened} modules.",
            )),
        None => draft.detail(Message::new(
            "It checked modules and their folders {asked} times, and opened {opened} modules.",
        )),
    };
    draft.advise(
        "Shorten the module search path, or put the modules that are used into its first folders.",
    )
}

/// The modules that some threads used, or looked for.
struct Modules<'a> {
    opened: BTreeSet<PathId>,
    /// Where they are, or would be; without a slash at the end.
    folders: BTreeSet<&'a str>,
}

impl<'a> Modules<'a> {
    fn of(files: &'a Files, is_loading: impl Fn(&Use) -> bool) -> Self {
        let mut all = Self {
            opened: BTreeSet::new(),
            folders: BTreeSet::new(),
        };
        for one in files.uses.iter().filter(|one| is_loading(one)) {
            let Some(id) = one.path.filter(|&id| is_module(files.path(id))) else {
                continue;
            };
            if opens(one) {
                all.opened.insert(id);
            }
            let folder = files.path(id).rsplit_once('/').map(|(folder, _)| folder);
            all.folders.extend(folder);
            // Python's compiled form of a module is in a folder beside it.
            all.folders
                .extend(folder.and_then(|folder| folder.strip_suffix("/__pycache__")));
        }
        all
    }

    /// Returns whether it opens a module.
    fn is_opened(&self, one: &Use) -> bool {
        opens(one) && one.path.is_some_and(|id| self.opened.contains(&id))
    }

    /// Returns whether a check is for a folder of modules, a module that is opened, or one that does not exist. A
    /// file that exists but is not opened may be anything.
    fn is_looked_for(&self, files: &Files, one: &Use) -> bool {
        one.path.is_some_and(|id| {
            let path = files.path(id);
            self.folders.contains(path.trim_end_matches('/'))
                || self.opened.contains(&id)
                || !one.is_ok() && is_module(path)
        })
    }
}

fn opens(one: &Use) -> bool {
    one.operation == FileOperation::Open && one.is_ok()
}

fn is_module(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.contains(".so.") || ENDINGS.iter().any(|&ending| name.ends_with(ending))
}
