//! Text filters: `cmd*;!conhost;1234`.
//!
//! `;` separates alternatives, a leading `!` excludes, `*` matches any text, `?` one character;
//! case does not matter and a pattern matches whole texts only. A text passes if any
//! alternative matches (or there are only exclusions) and no exclusion does.
//!
//! Function names come by the million over many extracts, so the shapes people type (`name`,
//! `name*`, `*name`, `*name*`) do not go through the general matcher.

mod glob;

use glob::Glob;

/// Alternatives and exclusions on one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pattern {
    include: Vec<Glob>,
    exclude: Vec<Glob>,
}

impl Pattern {
    /// Returns the pattern in `text`; an empty text matches everything.
    pub fn parse(text: &str) -> Self {
        let (include, exclude) = alternatives(text);
        Self {
            include: include.iter().map(|word| Glob::new(word)).collect(),
            exclude: exclude.iter().map(|word| Glob::new(word)).collect(),
        }
    }

    /// Returns whether `text` passes.
    pub fn matches(&self, text: &str) -> bool {
        let wanted = self.include.is_empty() || self.include.iter().any(|glob| glob.matches(text));
        wanted && !self.exclude.iter().any(|glob| glob.matches(text))
    }

    /// Returns whether something passes that goes by all of `names`: one is included and none
    /// excluded.
    pub fn matches_any(&self, names: &[&str]) -> bool {
        let hit = |glob: &Glob| names.iter().any(|name| glob.matches(name));
        let wanted = self.include.is_empty() || self.include.iter().any(hit);
        wanted && !self.exclude.iter().any(hit)
    }

    /// Returns the pattern with `*` on both sides of what it includes.
    pub fn loosened(&self) -> Self {
        Self {
            include: self.include.iter().map(Glob::loosened).collect(),
            exclude: self.exclude.clone(),
        }
    }

    /// Returns whether every text passes.
    pub fn matches_everything(&self) -> bool {
        let any = |glob: &Glob| *glob == Glob::Any;
        self.exclude.is_empty() && (self.include.is_empty() || self.include.iter().any(any))
    }
}

/// A filter of processes or threads: by name, by id, or as `name(id)`. The ending `.exe` of a name may
/// be left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamePattern {
    include: Vec<NameGlob>,
    exclude: Vec<NameGlob>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum NameGlob {
    Id(i64),
    Name(Glob),
    NameAndId(Glob),
}

impl NamePattern {
    /// Returns the filter in `text`; all digits are an id.
    pub fn parse(text: &str) -> Self {
        let (include, exclude) = alternatives(text);
        Self {
            include: include.iter().map(|word| NameGlob::new(word)).collect(),
            exclude: exclude.iter().map(|word| NameGlob::new(word)).collect(),
        }
    }

    /// Returns the filter with `*` on both sides of the names it includes.
    pub fn loosened(&self) -> Self {
        let loosened = |glob: &NameGlob| match glob {
            NameGlob::Id(id) => NameGlob::Id(*id),
            NameGlob::Name(name) | NameGlob::NameAndId(name) => NameGlob::Name(name.loosened()),
        };
        Self {
            include: self.include.iter().map(loosened).collect(),
            exclude: self.exclude.clone(),
        }
    }

    /// Returns whether something called `name` with the system's id `id` passes.
    pub fn matches(&self, name: &str, id: i64) -> bool {
        self.matches_any(&[name], id)
    }

    /// Returns whether something with several names passes.
    pub fn matches_any(&self, names: &[&str], id: i64) -> bool {
        let hit = |glob: &NameGlob| names.iter().any(|name| glob.matches(name, id));
        let wanted = self.include.is_empty() || self.include.iter().any(hit);
        wanted && !self.exclude.iter().any(hit)
    }
}

impl NameGlob {
    fn new(word: &str) -> Self {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        if let (true, Ok(id)) = (digits, word.parse()) {
            return Self::Id(id);
        }
        let glob = Glob::new(word);
        if word.ends_with(')') && word.contains('(') {
            Self::NameAndId(glob)
        } else {
            Self::Name(glob)
        }
    }

    fn matches(&self, name: &str, id: i64) -> bool {
        let is = |name: &str| match self {
            Self::Id(wanted) => *wanted == id,
            Self::Name(glob) => glob.matches(name),
            Self::NameAndId(glob) => glob.matches(&format!("{name}({id})")) || glob.matches(name),
        };
        is(name) || without_exe(name).is_some_and(is)
    }
}

/// Returns the name of a program of Windows without its ending.
fn without_exe(name: &str) -> Option<&str> {
    let (stem, ending) = name.split_at_checked(name.len().checked_sub(4)?)?;
    ending.eq_ignore_ascii_case(".exe").then_some(stem)
}

/// A filter of functions: by name, or as `module!function`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FunctionPattern {
    include: Vec<MethodGlob>,
    exclude: Vec<MethodGlob>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct MethodGlob {
    module: Option<Glob>,
    function: Glob,
}

impl FunctionPattern {
    /// Returns the filter in `text`.
    pub fn parse(text: &str) -> Self {
        let (include, exclude) = alternatives(text);
        Self {
            include: include.iter().map(|word| MethodGlob::new(word)).collect(),
            exclude: exclude.iter().map(|word| MethodGlob::new(word)).collect(),
        }
    }

    /// Returns whether `function` of `module` passes.
    pub fn matches(&self, module: &str, function: &str) -> bool {
        let hit = |glob: &MethodGlob| glob.matches(module, function);
        let wanted = self.include.is_empty() || self.include.iter().any(hit);
        wanted && !self.exclude.iter().any(hit)
    }

    /// Returns the filter with `*` on both sides of the names it includes.
    pub fn loosened(&self) -> Self {
        let loosened = |glob: &MethodGlob| MethodGlob {
            module: glob.module.as_ref().map(Glob::loosened),
            function: glob.function.loosened(),
        };
        Self {
            include: self.include.iter().map(loosened).collect(),
            exclude: self.exclude.clone(),
        }
    }

    /// Returns whether every function passes.
    pub fn matches_everything(&self) -> bool {
        let any = |glob: &MethodGlob| glob.module.is_none() && glob.function == Glob::Any;
        self.exclude.is_empty() && (self.include.is_empty() || self.include.iter().any(any))
    }
}

impl MethodGlob {
    fn new(word: &str) -> Self {
        match word.split_once('!') {
            Some((module, function)) if !module.is_empty() => Self {
                module: Some(Glob::new(module)),
                function: Glob::new(if function.is_empty() { "*" } else { function }),
            },
            _ => Self {
                module: None,
                function: Glob::new(word),
            },
        }
    }

    fn matches(&self, module: &str, function: &str) -> bool {
        let in_module = self.module.as_ref().is_none_or(|glob| glob.matches(module));
        in_module && self.function.matches(function)
    }
}

/// Splits `text` into the words to include and the words to exclude.
fn alternatives(text: &str) -> (Vec<&str>, Vec<&str>) {
    let words = text.split(';').map(str::trim);
    let words = words.filter(|word| !word.is_empty() && *word != "!");
    let (exclude, include): (Vec<_>, Vec<_>) = words.partition(|word| word.starts_with('!'));
    let exclude = exclude
        .into_iter()
        .filter_map(|word| word.strip_prefix('!'));
    (include, exclude.map(str::trim).collect())
}

#[cfg(test)]
mod tests;
