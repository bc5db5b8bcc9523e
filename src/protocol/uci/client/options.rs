//! Options that a UCI program lists, and the check whether a value is valid for one.

/// Options listed by the program: name and permitted values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramOptions(Vec<(String, OptionValues)>);

/// Permitted values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionValues {
    /// `true` or `false`.
    Check,
    /// Integers from the first number to the second.
    Spin(i64, i64),
    /// One of these texts, in any case.
    Combo(Vec<String>),
    /// No value: the option triggers an action.
    Button,
    /// Any text.
    Any,
}

impl OptionValues {
    /// Parses the text after `type`. Malformed or other types permit any value.
    fn parse(text: &str) -> OptionValues {
        let number_after = |word: &str| {
            let mut words = text.split_whitespace().skip_while(|&next| next != word);
            words.nth(1)?.parse().ok()
        };
        match text.split_whitespace().next() {
            Some("check") => OptionValues::Check,
            Some("button") => OptionValues::Button,
            Some("spin") => match (number_after("min"), number_after("max")) {
                (Some(min), Some(max)) => OptionValues::Spin(min, max),
                _ => OptionValues::Any,
            },
            Some("combo") => {
                let values = text.split(" var ").skip(1);
                OptionValues::Combo(values.map(|value| value.trim().to_owned()).collect())
            }
            _ => OptionValues::Any,
        }
    }

    /// Returns the expected values if `value` is not among them.
    fn refusal(&self, value: &str) -> Option<String> {
        let (is_valid, expected) = match self {
            OptionValues::Check => (
                matches!(value, "true" | "false"),
                "true or false".to_owned(),
            ),
            OptionValues::Spin(min, max) => {
                let is_valid = value
                    .parse()
                    .is_ok_and(|value| (min..=max).contains(&&value));
                (is_valid, format!("{min} to {max}"))
            }
            OptionValues::Combo(values) => {
                let is_valid = values.iter().any(|own| own.eq_ignore_ascii_case(value));
                (is_valid, values.join(", "))
            }
            OptionValues::Button => (value.is_empty(), "no value".to_owned()),
            OptionValues::Any => (true, String::new()),
        };
        (!is_valid).then(|| format!("expected {expected}"))
    }
}

impl ProgramOptions {
    /// Stores the option of a line `option name NAME type TYPE ...`. Ignores other lines.
    pub(super) fn read_line(&mut self, line: &str) {
        let option = line.strip_prefix("option name ");
        if let Some((name, rest)) = option.and_then(|option| option.split_once(" type ")) {
            self.0
                .push((name.trim().to_owned(), OptionValues::parse(rest)));
        }
    }

    /// Returns whether an option of this name is listed, ignoring case.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values(name).is_some()
    }

    fn values(&self, name: &str) -> Option<&OptionValues> {
        let mut options = self.0.iter();
        let option = options.find(|(own, _)| own.eq_ignore_ascii_case(name));
        option.map(|(_, values)| values)
    }

    /// Returns why the option cannot be set to this value, or `None` if it can.
    pub(super) fn refusal(&self, name: &str, value: &str) -> Option<String> {
        match self.values(name) {
            Some(values) => values.refusal(value),
            None => Some("no such option".to_owned()),
        }
    }
}
