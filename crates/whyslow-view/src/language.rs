//! The languages of functions.

/// The language of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// The kernel's code.
    Kernel,
    /// The process's machine code, in none of the languages below.
    Native,
    /// Go.
    Go,
    /// Python.
    Python,
    /// Java, or another language of its virtual machine.
    Java,
    /// JavaScript.
    JavaScript,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// Perl.
    Perl,
}

/// Functions of Go's own runtime that every program has on some stack.
const OF_GO: [&str; 6] = [
    "runtime.goexit",
    "runtime.goexit.abi0",
    "runtime.main",
    "runtime.mcall",
    "runtime.mstart",
    "runtime.mstart1",
];

impl Language {
    /// Returns the language of modules of a kind.
    pub fn of_kind(kind: &str) -> Self {
        match kind {
            "kernel" | "kernel-module" => Self::Kernel,
            "python" => Self::Python,
            "java" => Self::Java,
            "javascript" => Self::JavaScript,
            "ruby" => Self::Ruby,
            "php" => Self::Php,
            "perl" => Self::Perl,
            _ => Self::Native,
        }
    }

    /// Returns whether a function belongs to Go's runtime, which is in every module of Go.
    pub fn is_runtime_of_go(function: &str) -> bool {
        OF_GO.contains(&function)
    }

    /// Returns whether a function of a module of Go is a Go function: it has a package. C code
    /// linked into such a module has none.
    pub fn is_go(function: &str) -> bool {
        function.contains('.') && !function.contains("::")
    }
}
