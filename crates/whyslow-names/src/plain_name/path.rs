//! Paths of Rust and C++: `crate::module::Type<T>::function`.

/// Returns the type and the function at the end of a path, without either kind of arguments,
/// closures and hashes.
pub(super) fn last_of(name: &str) -> String {
    let (path, operator) = split_operator(name);
    let segments = segments(path);
    // After the first segment, brackets are type arguments.
    let is_argument =
        |at: usize, part: &str| at > 0 && part.starts_with('<') && !part.starts_with("<impl ");
    let parts = segments.iter().enumerate();
    let parts = parts.filter(|(at, part)| !is_argument(*at, part));
    let mut words: Vec<String> = parts.filter_map(|(_, part)| word(part)).collect();
    if words.last().is_some_and(|last| is_hash(last)) && words.len() > 1 {
        words.pop();
    }
    if let Some(operator) = operator
        // The body of a closure is its call operator.
        && !(operator == "operator()" && segments.iter().rev().find(|part| !part.is_empty()).is_some_and(|last| is_closure(last)))
    {
        words.push(operator);
    }
    if words.last().is_some_and(|last| last == "main") {
        return "main".to_owned();
    }
    let from = words.len().saturating_sub(2);
    match words[from..].join("::") {
        empty if empty.is_empty() => name.to_owned(),
        found => found,
    }
}

/// Returns the path before an operator of C++, and the operator without its arguments.
fn split_operator(name: &str) -> (&str, Option<String>) {
    const WORD: &str = "operator";
    let found = name.match_indices(WORD).find(|&(at, _)| {
        let before = name[..at].chars().next_back();
        let after = name[at + WORD.len()..].chars().next();
        let begins = before.is_none_or(|c| !is_name(c));
        begins && after.is_none_or(|c| !is_name(c))
    });
    let Some((at, _)) = found else {
        return (name, None);
    };
    let rest = &name[at + WORD.len()..];
    let symbol = match rest.strip_prefix("()") {
        Some(_) => "()",
        None => rest.split('(').next().unwrap_or(rest).trim_end(),
    };
    // `operator<< <char>` has type arguments.
    let symbol = symbol.split(" <").next().unwrap_or(symbol);
    (&name[..at], Some(format!("{WORD}{symbol}")))
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Splits a path at `::` outside of brackets, up to the arguments of the function.
fn segments(path: &str) -> Vec<&str> {
    let mut segments = Vec::new();
    let (mut depth, mut from, mut before) = (0_usize, 0, ' ');
    for (at, letter) in path.char_indices() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && before == ':' => {
                segments.push(&path[from..at - 1]);
                from = at + 1;
            }
            _ => {}
        }
        before = letter;
    }
    segments.push(&path[from.min(path.len())..]);
    segments
}

/// Returns the name in a segment; `None` if it has none, or is a closure.
fn word(segment: &str) -> Option<String> {
    if is_closure(segment) || segment.starts_with("(anonymous") {
        return None;
    }
    if let Some(inner) = segment.strip_prefix('<') {
        let inner = inner.strip_suffix('>').unwrap_or(inner);
        return type_name(inner);
    }
    let end = segment.find(['<', '(', '[']).unwrap_or(segment.len());
    // A return type comes before the name.
    let name = segment[..end].trim_end().rsplit(' ').next().unwrap_or("");
    let name = name.trim_start_matches(['*', '&']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns the last word of the type in `Type as Trait` or `impl Trait for Type`.
fn type_name(inner: &str) -> Option<String> {
    let outside = |mark: &str| {
        let mut places = inner.match_indices(mark);
        places.find(|&(at, _)| depth_at(inner, at) == 0)
    };
    let of = match (
        inner.strip_prefix("impl "),
        outside(" for "),
        outside(" as "),
    ) {
        (Some(_), Some((at, mark)), _) => &inner[at + mark.len()..],
        (_, _, Some((at, _))) => &inner[..at],
        _ => inner,
    };
    let of = of.trim_start_matches(['&', '*']);
    let of = ["mut ", "dyn ", "const "]
        .iter()
        .fold(of, |of, word| of.strip_prefix(word).unwrap_or(of));
    let segments = segments(of);
    segments.iter().rev().find_map(|segment| word(segment))
}

fn depth_at(text: &str, end: usize) -> usize {
    let (mut depth, mut before) = (0_usize, ' ');
    for letter in text[..end].chars() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = letter;
    }
    depth
}

fn is_closure(segment: &str) -> bool {
    segment.starts_with('{')
}

/// Returns whether a segment is the hash that older Rust compilers append.
fn is_hash(segment: &str) -> bool {
    let digits = segment.strip_prefix('h');
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust() {
        let names = [
            ("<std::sync::Mutex>::lock", "Mutex::lock"),
            ("<cargo::Filesystem>::open::<&str>", "Filesystem::open"),
            ("app::run::<fn(u8) -> Vec<u8>>::{closure#1}", "app::run"),
            ("<Vec<u8> as Clone>::clone", "Vec::clone"),
            ("<<A as B>::C>::d", "C::d"),
            (
                "notes::index::Index::add_note::{{closure}}",
                "Index::add_note",
            ),
            (
                "std::fs::File::sync_all::h0123456789abcdef",
                "File::sync_all",
            ),
            (
                "core::ptr::drop_in_place<alloc::vec::Vec<u8>>",
                "ptr::drop_in_place",
            ),
            ("core::iter::traits::<impl Sum for u64>::sum", "u64::sum"),
            ("<&mut dyn io::Write as io::Write>::write", "Write::write"),
            ("notes_index::main", "main"),
            ("a::<b", "a"),
            ("<a::b", "b"),
        ];
        for (name, plain) in names {
            assert_eq!(last_of(name), plain, "{name}");
        }
    }

    #[test]
    fn cpp() {
        let names = [
            (
                "std::vector<int, std::allocator<int>>::push_back(int const&)",
                "vector::push_back",
            ),
            ("(anonymous namespace)::Parser::next(char)", "Parser::next"),
            ("void sort<int>(int*, int*)", "sort"),
            ("unsigned long ns::Foo<char>::size() const", "Foo::size"),
            ("std::operator<< <char>(std::ostream&)", "std::operator<<"),
            ("Foo::operator()(int) const", "Foo::operator()"),
            ("run()::{lambda(int)#1}::operator()(int) const", "run"),
            ("Foo::~Foo()", "Foo::~Foo"),
            ("operator new(unsigned long)", "operator new"),
            ("cooperator::go()", "cooperator::go"),
        ];
        for (name, plain) in names {
            assert_eq!(last_of(name), plain, "{name}");
        }
    }

    #[test]
    fn nonsense_is_no_panic() {
        for name in [
            "",
            "::",
            "<",
            ">",
            "<>",
            "<<",
            "operator",
            "::operator",
            "{",
            "h::h",
            "äö::<ü",
            "(",
            "a)::b",
        ] {
            let _any = last_of(name);
        }
    }
}
