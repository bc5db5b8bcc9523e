//! Options that a UCI program lists, and the check whether a value is valid for one.

/// Options listed by the program: name, and the text after `type`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramOptions(Vec<(String, String)>);

impl ProgramOptions {
    /// Stores the option of a line `option name NAME type TYPE ...`. Ignores other lines.
    pub(super) fn read_line(&mut self, line: &str) {
        let option = line.strip_prefix("option name ");
        if let Some((name, of_type)) = option.and_then(|option| option.split_once(" type ")) {
            self.0.push((name.trim().to_owned(), of_type.to_owned()));
        }
    }

    /// Returns the text after `type` of the option of this name, ignoring case.
    pub(super) fn of_type(&self, name: &str) -> Option<&str> {
        let mut options = self.0.iter();
        let option = options.find(|(own, _)| own.eq_ignore_ascii_case(name));
        option.map(|(_, of_type)| of_type.as_str())
    }

    /// Returns why the option cannot be set to this value, or `None` if it can.
    /// Programs ignore a wrong number or truth value without a word. Other types permit any value.
    pub(super) fn refusal(&self, name: &str, value: &str) -> Option<String> {
        let Some(of_type) = self.of_type(name) else {
            return Some("no such option".to_owned());
        };
        let number_after = |word: &str| -> Option<i64> {
            let mut words = of_type.split_whitespace().skip_while(|&next| next != word);
            words.nth(1)?.parse().ok()
        };
        let (is_valid, expected) = match of_type.split_whitespace().next() {
            Some("check") => (
                matches!(value, "true" | "false"),
                "true or false".to_owned(),
            ),
            Some("spin") => {
                let (min, max) = (number_after("min")?, number_after("max")?);
                let number = value.parse();
                let is_valid = number.is_ok_and(|number| (min..=max).contains(&number));
                (is_valid, format!("{min} to {max}"))
            }
            _ => return None,
        };
        (!is_valid).then(|| format!("expected {expected}"))
    }
}
