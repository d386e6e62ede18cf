//! A small reader of JSON, for the answers of our own program.

/// Deepest nesting that is read.
const DEEPEST: usize = 32;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads one value and nothing behind it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        match reader.rest().is_empty() {
            true => Ok(value),
            false => Err(reader.wrong("the end")),
        }
    }

    /// A member of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        members
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// A string's text.
    pub(crate) fn string(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// A number.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A list's entries.
    pub(crate) fn array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(entries) => Some(entries),
            _ => None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn wrong(&self, wanted: &str) -> String {
        format!("JSON at byte {}: {wanted} expected", self.at)
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a word if it comes next.
    fn skip(&mut self, word: &str) -> bool {
        self.space();
        let here = self.rest().starts_with(word);
        self.at += if here { word.len() } else { 0 };
        here
    }

    fn need(&mut self, word: &str) -> Result<(), String> {
        match self.skip(word) {
            true => Ok(()),
            false => Err(self.wrong(word)),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err(self.wrong("less nesting"));
        }
        for (word, value) in [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ] {
            if self.skip(word) {
                return Ok(value);
            }
        }
        if self.skip("[") {
            return self.array(depth);
        }
        if self.skip("{") {
            return self.object(depth);
        }
        if self.rest().starts_with('"') {
            return self.string().map(Value::String);
        }
        let rest = self.rest();
        let end = rest.find([',', ']', '}', ' ', '\n', '\r', '\t']);
        let number = &rest[..end.unwrap_or(rest.len())];
        let value = number.parse().map_err(|_| self.wrong("a value"))?;
        self.at += number.len();
        Ok(Value::Number(value))
    }

    fn array(&mut self, depth: usize) -> Result<Value, String> {
        let mut entries = Vec::new();
        if self.skip("]") {
            return Ok(Value::Array(entries));
        }
        loop {
            entries.push(self.value(depth + 1)?);
            if self.skip("]") {
                return Ok(Value::Array(entries));
            }
            self.need(",")?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        let mut members = Vec::new();
        if self.skip("}") {
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.need(":")?;
            members.push((key, self.value(depth + 1)?));
            if self.skip("}") {
                return Ok(Value::Object(members));
            }
            self.need(",")?;
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.need("\"")?;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end = rest.find(['"', '\\']).ok_or_else(|| self.wrong("\""))?;
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if rest[end..].starts_with('"') {
                return Ok(text);
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let letter = self.rest().chars().next();
        let letter = letter.ok_or_else(|| self.wrong("an escape"))?;
        self.at += letter.len_utf8();
        Ok(match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => self.unit()?,
            other => other,
        })
    }

    /// Four hexadecimal digits; half a pair becomes U+FFFD.
    fn unit(&mut self) -> Result<char, String> {
        let digits = self.rest().get(..4).ok_or_else(|| self.wrong("4 digits"))?;
        let code = u32::from_str_radix(digits, 16).map_err(|_| self.wrong("4 digits"))?;
        self.at += 4;
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn values_are_read() {
        let value = Value::parse(r#" {"a": [1, -2.5e3, true, null, "x\ny"], "b": {}} "#).unwrap();
        let list = value.get("a").and_then(Value::array).unwrap();
        assert_eq!(list[1].number(), Some(-2500.0));
        assert_eq!(list[4].string(), Some("x\ny"));
        assert_eq!(value.get("b"), Some(&Value::Object(Vec::new())));
    }

    #[test]
    fn damaged_text_is_refused() {
        let deep = "[".repeat(100_000);
        for text in [
            "{",
            "[1,",
            "\"",
            "\"\\u12",
            "{\"a\" 1}",
            "1 2",
            "nul",
            &deep,
        ] {
            assert!(Value::parse(text).is_err(), "{text:.20}");
        }
    }
}
