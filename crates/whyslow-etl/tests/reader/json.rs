//! Just enough JSON to read expected values.

/// A value; numbers stay text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn get(&self, key: &str) -> &Json {
        let Json::Object(fields) = self else {
            panic!("no object: {self:?}");
        };
        &fields.iter().find(|(name, _)| name == key).unwrap().1
    }

    pub(crate) fn text(&self) -> &str {
        let Json::Text(text) = self else {
            panic!("no text: {self:?}");
        };
        text
    }

    pub(crate) fn list(&self) -> &[Json] {
        let Json::List(all) = self else {
            panic!("no list: {self:?}");
        };
        all
    }
}

pub(crate) fn parse(text: &str) -> Json {
    let mut rest = text.trim_start();
    value(&mut rest)
}

fn eat<'a>(rest: &mut &'a str, count: usize) -> &'a str {
    let (taken, behind) = rest.split_at(count);
    *rest = behind.trim_start();
    taken
}

fn value(rest: &mut &str) -> Json {
    match rest.as_bytes()[0] {
        b'"' => Json::Text(string(rest)),
        b'[' => {
            eat(rest, 1);
            let mut all = Vec::new();
            while !rest.starts_with(']') {
                all.push(value(rest));
                eat(rest, usize::from(rest.starts_with(',')));
            }
            eat(rest, 1);
            Json::List(all)
        }
        b'{' => {
            eat(rest, 1);
            let mut all = Vec::new();
            while !rest.starts_with('}') {
                let key = string(rest);
                assert_eq!(eat(rest, 1), ":");
                all.push((key, value(rest)));
                eat(rest, usize::from(rest.starts_with(',')));
            }
            eat(rest, 1);
            Json::Object(all)
        }
        _ => {
            let end = rest.find([',', ']', '}', '\n']).unwrap();
            Json::Text(eat(rest, end).trim().to_owned())
        }
    }
}

fn string(rest: &mut &str) -> String {
    let mut out = String::new();
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            out.push(if c == 'n' { '\n' } else { c });
            escaped = false;
        } else if c == '"' {
            eat(rest, at + 1);
            return out;
        } else if c == '\\' {
            escaped = true;
        } else {
            out.push(c);
        }
    }
    panic!("unterminated: {rest}");
}
