//! Letters that do not show, or that change how others show.

/// Returns whether a letter acts instead of showing: a control character, one that changes the order of others, or one
/// that shows as nothing or as a blank.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' // soft hyphen
            | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' // zero width, direction marks
            | '\u{2028}'..='\u{202e}' // line separators, direction embedding and override
            | '\u{2060}'..='\u{206f}' // word joiner, direction isolates
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
            // Letters of Korean that fill a place, and a letter of Braille without dots.
            | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
}
