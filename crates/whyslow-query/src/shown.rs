//! Keeps only the frames of one language, of all those on the stacks of a program that an
//! interpreter runs.

use crate::argument::{Argument, Arguments, Choice, Takes};
use crate::frames::Function;
use crate::language::Language;
use crate::stacks::Stacks;

/// Keeps the frames of one language.
pub(crate) const LANGUAGE: Argument = Argument {
    name: "language",
    doc: "Show only frames in this language; the time of other frames counts for their callers",
    takes: Takes::Choice {
        choices: &LANGUAGES,
        default: "all",
    },
};

/// Leaves out machine code.
pub(crate) const NO_NATIVE: Argument = Argument {
    name: "no-native",
    doc: "Hide machine-code and kernel frames on stacks that have other frames",
    takes: Takes::Nothing,
};

const LANGUAGES: [Choice; 10] = [
    Choice {
        word: "all",
        doc: "Every frame",
    },
    Choice {
        word: "python",
        doc: "Functions of Python",
    },
    Choice {
        word: "java",
        doc: "Methods of Java and other languages of its virtual machine",
    },
    Choice {
        word: "javascript",
        doc: "Functions of JavaScript",
    },
    Choice {
        word: "ruby",
        doc: "Methods of Ruby",
    },
    Choice {
        word: "php",
        doc: "Functions of PHP",
    },
    Choice {
        word: "perl",
        doc: "Subroutines of Perl",
    },
    Choice {
        word: "go",
        doc: "Functions of Go",
    },
    Choice {
        word: "native",
        doc: "Machine code of the process, but not Go",
    },
    Choice {
        word: "kernel",
        doc: "Functions of the kernel",
    },
];

/// By the index in [`LANGUAGES`].
const CHOSEN: [Option<Language>; LANGUAGES.len()] = [
    None,
    Some(Language::Python),
    Some(Language::Java),
    Some(Language::JavaScript),
    Some(Language::Ruby),
    Some(Language::Php),
    Some(Language::Perl),
    Some(Language::Go),
    Some(Language::Native),
    Some(Language::Kernel),
];

/// Which part of the stacks is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    language: Option<Language>,
    no_native: bool,
}

impl Shown {
    /// Returns what the arguments ask for; `None`: everything.
    pub(crate) fn chosen(arguments: &Arguments) -> Option<Self> {
        let language = CHOSEN.get(arguments.choice(&LANGUAGE)).copied().flatten();
        let no_native = arguments.has(&NO_NATIVE);
        let shown = Self {
            language,
            no_native,
        };
        (language.is_some() || no_native).then_some(shown)
    }

    /// Leaves out the frames that are not shown. When native frames are left out, stacks without
    /// any other frames stay unchanged.
    pub(crate) fn apply(self, stacks: &mut Stacks) {
        let functions = stacks.frames.functions.iter();
        let is_shown = |function: &Function| {
            let Some(language) = function.language else {
                return true;
            };
            let is_machine = matches!(language, Language::Native | Language::Kernel);
            self.language.is_none_or(|wanted| wanted == language)
                && !(self.no_native && self.language.is_none() && is_machine)
        };
        let shown: Vec<bool> = functions.map(is_shown).collect();
        let keeps_others = self.language.is_none();
        stacks.tree.keep(&shown, keeps_others);
    }
}
