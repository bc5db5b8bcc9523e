//! [`Sentence`]: an error message about an input, which the web pages can translate.

use std::fmt;
use std::ops::Deref;

/// An error message for the user: an English text, and the data from which the web pages translate
/// the text. The data are a code, which stays the same when the wording changes, and the values
/// that occur in the text. A sentence converted from a `String` or `&str` has no code and no
/// values.
///
/// ```
/// use emilia_core::board::Sentence;
/// let sentence = Sentence::new("late", "line 3: late".to_owned()).with("line", 3);
/// assert_eq!(sentence.within("game 2: ").to_string(), "game 2: line 3: late");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence(Box<Content>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    text: String,
    code: &'static str,
    values: Vec<(&'static str, String)>,
}

impl Sentence {
    /// Creates a sentence with a code.
    pub fn new(code: &'static str, text: impl Into<String>) -> Sentence {
        Sentence(Box::new(Content {
            text: text.into(),
            code,
            values: Vec::new(),
        }))
    }

    /// Adds `value` under the name `name`, for translations. The text is not changed.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Sentence {
        self.0.values.push((name, value.to_string()));
        self
    }

    /// The code, or an empty text for a sentence without a code.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The values, with their names.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.values.iter().map(|(name, value)| (*name, &**value))
    }

    /// Puts a text in front of the sentence.
    #[must_use]
    pub fn within(mut self, before: impl fmt::Display) -> Sentence {
        self.0.text = format!("{before}{}", self.0.text);
        self
    }

    /// Puts `game NUMBER: ` in front of the sentence. `number` is the number of a game in its file.
    /// A sentence without a code gets the code `unreadable`.
    #[must_use]
    pub fn of_game(self, number: usize) -> Sentence {
        let sentence = self.or_code("unreadable").with("game", number);
        sentence.within(format_args!("game {number}: "))
    }

    /// Appends a text to the sentence.
    #[must_use]
    pub fn followed(mut self, after: impl fmt::Display) -> Sentence {
        self.0.text = format!("{}{after}", self.0.text);
        self
    }

    /// If the sentence has no code, sets `code` and adds the text as the value `why`.
    #[must_use]
    pub fn or_code(mut self, code: &'static str) -> Sentence {
        if self.0.code.is_empty() {
            self.0.code = code;
            let why = self.0.text.clone();
            return self.with("why", why);
        }
        self
    }
}

impl Deref for Sentence {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl std::error::Error for Sentence {}

impl PartialEq<&str> for Sentence {
    fn eq(&self, text: &&str) -> bool {
        **self == **text
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence::new("", text)
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Sentence {
        Sentence::new("", text)
    }
}

impl From<Sentence> for String {
    fn from(sentence: Sentence) -> String {
        sentence.0.text
    }
}
