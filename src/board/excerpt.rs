//! Shortens and escapes text of files and users, for quotation in messages.

/// Returns about the first 40 characters of `text`, for quotation in a message.
/// Control characters are escaped, and `...` marks a cut.
pub(crate) fn excerpt(text: &str) -> String {
    excerpt_within(text, 40)
}

/// [`excerpt`] with a limit of about `most` characters.
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
