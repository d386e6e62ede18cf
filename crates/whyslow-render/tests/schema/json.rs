//! JSON, just enough to look at what was written.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns a member of an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Json> {
        match self {
            Self::Object(members) => {
                let mut members = members.iter();
                members
                    .find(|(known, _)| known == name)
                    .map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns whether it is of a type of JSON schemas.
    pub(crate) fn is(&self, kind: &str) -> bool {
        match self {
            Self::Null => kind == "null",
            Self::Bool(_) => kind == "boolean",
            Self::Number(number) => kind == "number" || kind == "integer" && number.fract() == 0.0,
            Self::Text(_) => kind == "string",
            Self::List(_) => kind == "array",
            Self::Object(_) => kind == "object",
        }
    }
}

/// Reads a text that is one value.
pub(crate) fn parse(text: &str) -> Json {
    let mut rest = text;
    let value = value(&mut rest);
    assert_eq!(rest.trim(), "", "behind the value");
    value
}

fn take<'a>(rest: &mut &'a str, wanted: &str) -> bool {
    let text: &'a str = rest.trim_start();
    *rest = text.strip_prefix(wanted).unwrap_or(text);
    rest.len() < text.len()
}

fn value(rest: &mut &str) -> Json {
    let words = [
        ("null", Json::Null),
        ("true", Json::Bool(true)),
        ("false", Json::Bool(false)),
    ];
    for (word, value) in words {
        if take(rest, word) {
            return value;
        }
    }
    if take(rest, "\"") {
        return Json::Text(string(rest));
    }
    if take(rest, "[") {
        let mut items = Vec::new();
        while !take(rest, "]") {
            items.push(value(rest));
            take(rest, ",");
        }
        return Json::List(items);
    }
    if take(rest, "{") {
        let mut members = Vec::new();
        while !take(rest, "}") {
            assert!(take(rest, "\""), "a name: {rest}");
            let name = string(rest);
            assert!(take(rest, ":"), "a colon: {rest}");
            members.push((name, value(rest)));
            take(rest, ",");
        }
        return Json::Object(members);
    }
    let end = rest.find([',', ']', '}', '\n', ' ']).unwrap_or(rest.len());
    let number = rest[..end]
        .parse()
        .unwrap_or_else(|_| panic!("no value: {rest}"));
    *rest = &rest[end..];
    Json::Number(number)
}

fn string(rest: &mut &str) -> String {
    let mut text = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => {
                *rest = &rest[at + 1..];
                return text;
            }
            '\\' => match letters.next().map(|(_, letter)| letter) {
                Some('u') => {
                    let digits: String = letters.by_ref().take(4).map(|(_, digit)| digit).collect();
                    let code = u32::from_str_radix(&digits, 16).expect("digits");
                    text.push(char::from_u32(code).unwrap_or('?'));
                }
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    panic!("a text without an end");
}
