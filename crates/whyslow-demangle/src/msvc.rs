//! Names as Microsoft's compilers mangle them: `?add@Till@shop@@QEAAHH@Z` is `shop::Till::add`.
//!
//! ```text
//! symbol  = ? name encoding            name = piece scope* @        (innermost first)
//! piece   = text@ | digit | ?$ piece argument* @ | ?operator        digit: a piece seen before
//! type    = letter | P quals type | V name | 6 convention type parameters …
//! ```
//!
//! Only the qualified name is shown, with template arguments, as the private symbols of a PDB show
//! it; the encoding is read where it is needed to find the end of something. The form is not
//! documented by its maker; this follows what LLVM's `MicrosoftDemangle.cpp` and
//! `MicrosoftMangle.cpp` describe, and a test compares with `llvm-undname`.
//!
//! Names are untrusted: a repetition means up to ten pieces, and each of them may repeat
//! others, so a hundred bytes could mean gigabytes. Every text made is bounded, and so is nesting.

mod codes;

use std::fmt::Write as _;

use super::MAX_DISPLAY_BYTES;
use codes::{CV, OPERATORS, SPECIAL, TYPES, WIDE_TYPES};

/// Nesting of names and types beyond this is not followed.
const MAX_DEPTH: usize = 48;
/// Pieces that can be repeated, of each kind.
const MAX_REPEATED: usize = 10;

/// Qualified name of a mangled symbol; `None` if it is not a name of code, or not understood.
pub(super) fn demangle(mangled: &str) -> Option<String> {
    let mut parser = Parser {
        rest: mangled.strip_prefix('?')?,
        ..Parser::default()
    };
    // `??_C@` are string literals, `??@` names that were too long and are hashes now.
    if parser.rest.starts_with("?_C") || parser.rest.starts_with("?@") {
        return None;
    }
    for (code, what) in [("?__E", "initializer"), ("?__F", "atexit destructor")] {
        if parser.eat(code) {
            parser.eat("?");
            let of = parser.symbol_name()?;
            return fits(format!("`dynamic {what} for '{of}''"));
        }
    }
    let name = parser.symbol_name()?;
    if name.contains(CAST) {
        let returned = parser.function()?.returned;
        return fits(name.replace(CAST, &returned));
    }
    Some(name)
}

/// Stands for the type that a conversion operator converts to, which follows later.
const CAST: &str = "\u{0}";

/// A type in C++: what comes before and after a declared name.
#[derive(Debug, Clone, Default)]
struct Type {
    left: String,
    right: String,
}

impl Type {
    fn plain(left: impl Into<String>) -> Self {
        Self {
            left: left.into(),
            right: String::new(),
        }
    }

    fn text(&self) -> String {
        format!("{}{}", self.left, self.right)
    }
}

/// A function's type.
#[derive(Debug)]
struct Function {
    convention: &'static str,
    returned: String,
    parameters: String,
}

#[derive(Debug, Default)]
struct Parser<'a> {
    /// What is left to read.
    rest: &'a str,
    names: Vec<String>,
    types: Vec<Type>,
    depth: usize,
}

fn fits(text: String) -> Option<String> {
    (text.len() <= MAX_DISPLAY_BYTES).then_some(text)
}

impl Parser<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let first = chars.next()?;
        self.rest = chars.as_str();
        Some(first)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let result = (self.depth <= MAX_DEPTH).then(|| read(self)).flatten();
        self.depth -= 1;
        result
    }

    fn remember(&mut self, name: &str) {
        if self.names.len() < MAX_REPEATED && self.names.iter().all(|known| known != name) {
            self.names.push(name.to_owned());
        }
    }

    /// A number seen before: digits 0 to 9.
    fn repeated(&mut self) -> Option<Option<usize>> {
        let digit = self.peek()?.to_digit(10);
        if digit.is_some() {
            self.next();
        }
        Some(digit.map(|digit| digit as usize))
    }

    /// Numbers: `0` to `9` are 1 to 10, others are hexadecimal digits `A` to `P` up to `@`.
    fn number(&mut self) -> Option<i128> {
        let negative = self.eat("?");
        let mut value: i128 = 0;
        if let Some(digit) = self.repeated()? {
            value = digit as i128 + 1;
        } else {
            let (digits, rest) = self.rest.split_once('@')?;
            if digits.is_empty() || digits.len() > 16 {
                return None;
            }
            for digit in digits.bytes() {
                let digit = digit.checked_sub(b'A').filter(|digit| *digit < 16)?;
                value = value << 4 | i128::from(digit);
            }
            self.rest = rest;
        }
        Some(if negative { -value } else { value })
    }

    /// Text up to `@`.
    fn simple(&mut self) -> Option<String> {
        let (name, rest) = self.rest.split_once('@')?;
        self.rest = rest;
        let is_bad = |c: char| c == '?' || c.is_control();
        (!name.is_empty() && !name.contains(is_bad)).then(|| name.to_owned())
    }

    /// The name of a symbol, which may be an operator, with its scopes.
    fn symbol_name(&mut self) -> Option<String> {
        let name = self.leaf()?;
        self.scopes(name)
    }

    /// The first piece of a symbol's name.
    fn leaf(&mut self) -> Option<String> {
        if let Some(number) = self.repeated()? {
            return self.names.get(number).cloned();
        }
        if self.eat("?$") {
            return self.template();
        }
        if self.eat("?") {
            return self.operator();
        }
        let name = self.simple()?;
        self.remember(&name);
        Some(name)
    }

    /// The name of a type, with its scopes.
    fn type_name(&mut self) -> Option<String> {
        let name = self.scope()?;
        self.scopes(name)
    }

    fn scope(&mut self) -> Option<String> {
        if let Some(number) = self.repeated()? {
            return self.names.get(number).cloned();
        }
        let name = if self.eat("?$") {
            self.template()?
        } else if self.eat("?A") {
            let (_hash, rest) = self.rest.split_once('@')?;
            self.rest = rest;
            "`anonymous namespace'".to_owned()
        } else if self.eat("?") {
            return self.local_scope();
        } else {
            self.simple()?
        };
        self.remember(&name);
        Some(name)
    }

    /// The inside of a function: a number, and the function's whole symbol.
    fn local_scope(&mut self) -> Option<String> {
        let number = self.number()?;
        if !self.eat("?") || !self.eat("?") {
            return None;
        }
        let function = self.nested(|parser| {
            let name = parser.symbol_name()?;
            parser.encoding()?;
            Some(name)
        })?;
        fits(format!("`{function}'::`{number}'"))
    }

    /// Puts the scopes that follow in front of `name`.
    fn scopes(&mut self, name: String) -> Option<String> {
        let mut full = name;
        let mut is_innermost = true;
        while !self.eat("@") {
            let scope = self.nested(Self::scope)?;
            if is_innermost {
                // Constructors and destructors are called after their class.
                let class = scope.split('<').next().unwrap_or(&scope);
                full = full.replace(CLASS, class);
            }
            is_innermost = false;
            full = fits(format!("{scope}::{full}"))?;
        }
        (!full.contains(CLASS)).then_some(full)
    }

    /// A template's name and arguments; what is repeated within does not count outside.
    fn template(&mut self) -> Option<String> {
        let names = std::mem::take(&mut self.names);
        let types = std::mem::take(&mut self.types);
        let name = self.nested(|parser| {
            let name = parser.leaf()?;
            let mut arguments = String::new();
            while !parser.eat("@") {
                let Some(argument) = parser.argument()? else {
                    continue;
                };
                if !arguments.is_empty() {
                    arguments.push(',');
                }
                arguments = fits(arguments + &argument)?;
            }
            let space = if arguments.ends_with('>') { " " } else { "" };
            fits(format!("{name}<{arguments}{space}>"))
        });
        self.names = names;
        self.types = types;
        name
    }

    /// A template's argument; nothing for an empty pack.
    fn argument(&mut self) -> Option<Option<String>> {
        if ["$S", "$$V", "$$Z", "$$$V"]
            .iter()
            .any(|empty| self.eat(empty))
        {
            return Some(None);
        }
        if self.eat("$0") {
            return Some(Some(self.number()?.to_string()));
        }
        if self.eat("$M") {
            // A value with its type: only the value shows.
            self.nested(Self::ty)?;
            return self.argument_value();
        }
        if self.eat("$$Y") {
            return Some(Some(self.type_name()?));
        }
        if self.peek() == Some('$') && !self.rest.starts_with("$$") {
            self.next();
            return self.argument_value();
        }
        Some(Some(self.nested(Self::ty)?.text()))
    }

    /// A number, or the address of a symbol.
    fn argument_value(&mut self) -> Option<Option<String>> {
        if self.eat("0") {
            return Some(Some(self.number()?.to_string()));
        }
        let mark = match self.next()? {
            '1' => "&",
            'E' => "",
            _ => return None,
        };
        if !self.eat("?") {
            return None;
        }
        let name = self.nested(|parser| {
            let name = parser.symbol_name()?;
            parser.encoding()?;
            Some(name)
        })?;
        Some(Some(format!("{mark}{name}")))
    }

    fn operator(&mut self) -> Option<String> {
        let code = self.next()?;
        if code == '_' {
            return self.rare_operator();
        }
        let text = match code {
            '0' => return Some(CLASS.to_owned()),
            '1' => return Some(format!("~{CLASS}")),
            'B' => return Some(format!("operator {CAST}")),
            '2' => " new",
            '3' => " delete",
            _ => {
                let at = "456789ACDEFGHIJKLMNOPQRSTUVWXYZ".find(code)?;
                OPERATORS.split(' ').nth(at)?
            }
        };
        Some(format!("operator{text}"))
    }

    fn rare_operator(&mut self) -> Option<String> {
        let code = self.next()?;
        if code == '_' {
            return match self.next()? {
                'K' => Some(format!("operator \"\" {}", self.simple()?)),
                'L' => Some("operator co_await".to_owned()),
                'M' => Some("operator<=>".to_owned()),
                _ => None,
            };
        }
        if let Some(at) = "0123456UV".find(code) {
            let text = [
                "/=",
                "%=",
                ">>=",
                "<<=",
                "&=",
                "|=",
                "^=",
                " new[]",
                " delete[]",
            ];
            return Some(format!("operator{}", text.get(at)?));
        }
        let at = "789ABDEFGHIJKLMNOSTXY".find(code)?;
        Some(format!("`{}'", SPECIAL.get(at)?))
    }

    /// What follows a symbol's name: the type of a function or variable.
    fn encoding(&mut self) -> Option<()> {
        match self.peek()? {
            '0'..='4' => {
                self.next();
                self.nested(Self::ty)?;
                self.qualifiers();
                self.next().map(|_cv| ())
            }
            '9' => self.next().map(|_| ()),
            _ => self.function().map(|_| ()),
        }
    }

    /// A function's access, the qualifiers of its object, and its type.
    fn function(&mut self) -> Option<Function> {
        let class = self.next()?;
        match class {
            'A'..='X' => {
                let kind = (u32::from(class) - u32::from('A')) % 8;
                if kind >= 6 {
                    self.number()?;
                }
                if !matches!(kind, 2 | 3) {
                    self.qualifiers();
                    self.next().filter(|c| ('A'..='D').contains(c))?;
                }
            }
            'Y' | 'Z' => {}
            _ => return None,
        }
        self.function_type()
    }

    fn function_type(&mut self) -> Option<Function> {
        let convention = match self.next()? {
            'A' | 'B' => "__cdecl",
            'C' | 'D' => "__pascal",
            'E' | 'F' => "__thiscall",
            'G' | 'H' => "__stdcall",
            'I' | 'J' => "__fastcall",
            'M' | 'N' => "__clrcall",
            'O' | 'P' => "__eabi",
            'Q' => "__vectorcall",
            'S' | 'W' => "__attribute__((__swiftcall__))",
            _ => return None,
        };
        let returned = if self.eat("@") {
            String::new()
        } else {
            self.nested(Self::ty)?.text()
        };
        let parameters = self.parameters()?;
        self.eat("_E");
        self.eat("Z");
        Some(Function {
            convention,
            returned,
            parameters,
        })
    }

    /// Parameters, up to `@`, or `Z` for any more.
    fn parameters(&mut self) -> Option<String> {
        if self.eat("X") {
            return Some("void".to_owned());
        }
        let mut all = String::new();
        loop {
            if self.eat("@") {
                return Some(all);
            }
            if !all.is_empty() {
                all.push(',');
            }
            if self.eat("Z") {
                return fits(all + "...");
            }
            if let Some(number) = self.repeated()? {
                all = fits(all + &self.types.get(number)?.text())?;
                continue;
            }
            let before = self.rest.len();
            let one = self.nested(Self::ty)?;
            all = fits(all + &one.text())?;
            // What takes one letter is not worth a repetition.
            if before - self.rest.len() > 1 && self.types.len() < MAX_REPEATED {
                self.types.push(one);
            }
        }
    }

    /// Qualifiers of a pointer: 64 bits wide, unaligned, restricted, and of an object's reference.
    fn qualifiers(&mut self) {
        self.rest = self.rest.trim_start_matches(['E', 'F', 'I', 'G', 'H']);
    }

    fn ty(&mut self) -> Option<Type> {
        if self.eat("$$T") {
            return Some(Type::plain("std::nullptr_t"));
        }
        if self.eat("$$Q") {
            return self.nested(|parser| parser.pointer("&&"));
        }
        if self.eat("$$R") {
            return self.nested(|parser| parser.pointer("&& volatile"));
        }
        if self.eat("$$A") {
            return self.bare_function();
        }
        if self.eat("$$B") {
            return self.nested(Self::ty);
        }
        if self.eat("$$C") || self.eat("?") {
            let cv = self.cv()?;
            return self.nested(Self::ty).and_then(|ty| qualified(ty, cv));
        }
        let pointer = match self.next()? {
            'A' => "&",
            'B' => "& volatile",
            'P' => "*",
            'Q' => "*const",
            'R' => "*volatile",
            'S' => "*const volatile",
            'T' | 'U' | 'V' => return self.nested(Self::type_name).map(Type::plain),
            'W' => {
                self.next()?.to_digit(10)?;
                return self.nested(Self::type_name).map(Type::plain);
            }
            'Y' => return self.nested(Self::array),
            '_' => {
                let code = self.next()?;
                return Some(Type::plain(lookup(WIDE_TYPES, code)?));
            }
            code => return Some(Type::plain(lookup(TYPES, code)?)),
        };
        self.nested(|parser| parser.pointer(pointer))
    }

    fn bare_function(&mut self) -> Option<Type> {
        if !self.eat("6") {
            return None;
        }
        let function = self.nested(Self::function_type)?;
        Some(Type {
            left: format!("{} {}", function.returned, function.convention),
            right: format!("({})", function.parameters),
        })
    }

    fn pointer(&mut self, mark: &str) -> Option<Type> {
        self.qualifiers();
        if self.eat("6") {
            let function = self.function_type()?;
            return function_pointer(&function, mark);
        }
        if self.eat("8") {
            let class = self.type_name()?;
            self.qualifiers();
            self.next().filter(|c| ('A'..='D').contains(c))?;
            let function = self.function_type()?;
            return function_pointer(&function, &format!("{class}::{mark}"));
        }
        let code = self.next()?;
        let cv = *CV.get("ABCD".find(code).or_else(|| "QRST".find(code))?)?;
        let mark = if "QRST".contains(code) {
            format!("{}::{mark}", self.type_name()?)
        } else {
            mark.to_owned()
        };
        let target = self.ty().and_then(|ty| qualified(ty, cv))?;
        let mut left = target.left;
        if target.right.is_empty() {
            write!(left, " {mark}").ok()?;
            fits(left).map(Type::plain)
        } else {
            write!(left, "({mark}").ok()?;
            let (left, right) = (fits(left)?, fits(format!("){}", target.right))?);
            Some(Type { left, right })
        }
    }

    fn array(&mut self) -> Option<Type> {
        let dimensions = self.number().filter(|n| (1..=16).contains(n))?;
        let mut right = String::new();
        for _ in 0..dimensions {
            let length = self.number()?;
            write!(right, "[{length}]").ok()?;
        }
        let mut cv = "";
        if self.eat("$$C") {
            cv = self.cv()?;
        }
        let element = self.ty().and_then(|ty| qualified(ty, cv))?;
        let right = fits(right + &element.right)?;
        let left = element.left;
        Some(Type { left, right })
    }

    fn cv(&mut self) -> Option<&'static str> {
        let code = self.next()?;
        CV.get("ABCD".find(code)?).copied()
    }
}

fn function_pointer(function: &Function, mark: &str) -> Option<Type> {
    let (convention, returned) = (function.convention, &function.returned);
    Some(Type {
        left: fits(format!("{returned} ({convention} {mark}"))?,
        right: fits(format!(")({})", function.parameters))?,
    })
}

fn qualified(mut ty: Type, cv: &str) -> Option<Type> {
    if !cv.is_empty() {
        ty.left = fits(format!("{} {cv}", ty.left))?;
    }
    Some(ty)
}

fn lookup(table: &[(char, &'static str)], code: char) -> Option<&'static str> {
    let found = table.iter().find(|(known, _)| *known == code);
    found.map(|&(_, name)| name)
}

/// Stands for the name of the class, which follows a constructor's or destructor's code.
const CLASS: &str = "\u{1}";
