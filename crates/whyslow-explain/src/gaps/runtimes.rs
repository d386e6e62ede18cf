//! Runtimes whose programs' functions cannot be recorded, or only if the runtime helps.

use std::collections::BTreeMap;

use whyslow_story::story::Story;

/// How a runtime can provide names for the functions of its programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Help {
    /// How the names of its programs begin.
    program: &'static str,
    /// What is missing and what to switch on, as a message.
    pub(super) text: &'static str,
    /// Whether it interprets its programs, so that even without generated code their functions are missing.
    pub(super) interprets: bool,
}

const RUNTIMES: [Help; 7] = [
    Help {
        program: "php",
        text: "Only functions of PHP itself are recorded. Functions of PHP programs are read for PHP 7.3 to 8.5 \
               without threads (NTS), and only as root. Those that its compiler translates get names with \
               -d opcache.enable_cli=1 -d opcache.jit_buffer_size=64M -d opcache.jit_debug=16.",
        interprets: true,
    },
    Help {
        program: "ruby",
        text: "Only functions of Ruby itself are recorded. Methods of Ruby programs are read for Ruby 3.0 to 3.4 \
               with a shared library (libruby.so), and only as root. From Ruby 3.3 on, those that its compiler \
               translates get names with --yjit --yjit-perf.",
        interprets: true,
    },
    Help {
        program: "perl",
        text: "Only functions of Perl itself are recorded. Functions of Perl programs are read for Perl 5.34 to \
               5.40 with threads, and only as root.",
        interprets: true,
    },
    Help {
        program: "luajit",
        text: "Functions of Lua programs have no names: LuaJIT does not export them. Its own profiler \
               (-jp) names them.",
        interprets: true,
    },
    Help {
        program: "lua",
        text: "The recording has functions of Lua itself, not of its programs.",
        interprets: true,
    },
    Help {
        program: "mono",
        text: "Functions that Mono compiled have no names. It writes them out with \
               MONO_ENV_OPTIONS=--jitmap.",
        interprets: false,
    },
    Help {
        program: "dotnet",
        text: "Functions that .NET compiled have no names. It writes them out with DOTNET_PerfMapEnabled=1.",
        interprets: false,
    },
];

/// Returns the runtime in which the command computed most, if it is one of these, and for how long it computed
/// there.
pub(super) fn busiest(story: &Story<'_>) -> Option<(Help, i64)> {
    let mut programs: BTreeMap<&str, i64> = BTreeMap::new();
    for (&thread, ns) in &story.hot.threads {
        let process = story.facts.thread(thread).map(|row| row.process);
        let row = process.and_then(|process| story.facts.process(process));
        if let Some(row) = row {
            let path = row.path.as_deref().unwrap_or(&row.name);
            let program = path.rsplit('/').next().unwrap_or(path);
            *programs.entry(program).or_default() += ns;
        }
    }
    let (program, ns) = programs.into_iter().max_by_key(|&(_, ns)| ns)?;
    let help = RUNTIMES.iter().find(|help| help.is_of(program))?;
    Some((*help, ns))
}

impl Help {
    /// Returns whether a program is of this runtime: `php8.2`, `mono-sgen`, but not `monitor`.
    fn is_of(&self, program: &str) -> bool {
        let rest = program.strip_prefix(self.program);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_go_by_their_name() {
        let of = |program: &str| {
            let mut all = RUNTIMES.iter();
            all.find(|help| help.is_of(program))
                .map(|help| help.program)
        };
        assert_eq!(of("php8.2"), Some("php"));
        assert_eq!(of("php-fpm8.2"), Some("php"));
        assert_eq!(of("mono-sgen"), Some("mono"));
        assert_eq!(of("luajit-2.1.0-beta3"), Some("luajit"));
        assert_eq!(of("lua5.4"), Some("lua"));
        assert_eq!(of("monitor"), None);
        assert_eq!(of("rubymine"), None);
    }
}
