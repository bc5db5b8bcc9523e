//! Text of files and users as a sentence quotes it.

/// The beginning of a text as a sentence quotes it: about 40 characters, none of which controls a terminal or ends a line.
pub(crate) fn excerpt(text: &str) -> String {
    excerpt_within(text, 40)
}

/// The same of about `most` characters.
pub(crate) fn excerpt_within(text: &str, most: usize) -> String {
    let mut quoted = String::new();
    for character in text.chars() {
        if quoted.chars().count() >= most {
            quoted.push_str("...");
            break;
        }
        if character.is_control() {
            quoted.extend(character.escape_debug());
        } else {
            quoted.push(character);
        }
    }
    quoted
}
