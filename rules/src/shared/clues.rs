//! What the built-in rules charge their offers with, in hundredths: one table, so that the numbers can be compared and measured.

use jsonseam_core::Clue;

/// A bracket is wrong, missing or too many.
pub const BRACKET: Clue = Clue::new(90);
/// A second bracket is wrong beside it.
pub const SECOND_BRACKET: Clue = Clue::new(20);
/// One more closer is missing in the same place.
pub const FURTHER_BRACKET: Clue = Clue::new(30);
/// More than the innermost container is closed.
pub const FAR_BRACKET: Clue = Clue::new(50);
/// An opener is missing: a model rarely forgets what it is about to write.
pub const OPENER: Clue = Clue::new(60);
/// A closer came before its time.
pub const EARLY_CLOSER: Clue = Clue::new(60);
/// A comma is missing between two values on one line.
pub const COMMA_ON_LINE: Clue = Clue::new(60);
/// A string lacks its closing mark.
pub const NO_END_MARK: Clue = Clue::new(80);
/// A string lacks its closing mark in the middle of a line.
pub const NO_END_MARK_ON_LINE: Clue = Clue::new(30);
/// A string without a closing mark would hold more openers than closers, or end in a line that begins with a closer.
pub const OPEN_BRACKETS_IN_TEXT: Clue = Clue::new(80);
/// A closer that ends a line would be text.
pub const CLOSER_IN_TEXT: Clue = Clue::new(20);
/// A key would hold a comma or a line break.
pub const STRUCTURE_IN_KEY: Clue = Clue::new(100);
/// A key would hold quotes.
pub const QUOTES_IN_KEY: Clue = Clue::new(200);
/// A string has two defects: inner marks, and no closing one.
pub const SECOND_DEFECT: Clue = Clue::new(70);
/// The marks inside a string are pairs.
pub const EVEN_MARKS: Clue = Clue::new(20);
/// One of a pair faces the wrong way.
pub const MARK_FACES_WORD: Clue = Clue::new(20);
/// One of a pair is before a colon or a closer.
pub const MARK_BEFORE_STRUCTURE: Clue = Clue::new(25);
/// The only mark inside follows a digit: inches.
pub const INCH_MARK: Clue = Clue::new(60);
/// The marks inside a string are not pairs.
pub const ODD_MARKS: Clue = Clue::new(140);
/// A mark inside a string.
pub const INNER_MARK: Clue = Clue::new(3);
/// A string spans lines.
pub const RAW_LINES: Clue = Clue::new(30);
/// A string would swallow a member.
pub const SWALLOWED_MEMBER: Clue = Clue::new(120);
/// A text without an opening mark holds commas, colons or brackets.
pub const STRUCTURE_IN_TEXT: Clue = Clue::new(50);
/// What is between two marks inside a string begins and ends with a comma.
pub const MARKS_AROUND_COMMA: Clue = Clue::new(100);
/// What is between them is a comma and a line break.
pub const MARKS_AROUND_LINE_BREAK: Clue = Clue::new(40);
/// Containers are open where the region ends.
pub const UNCLOSED: Clue = Clue::new(70);
/// Closers follow the root.
pub const SURPLUS: Clue = Clue::new(90);
/// Words are dropped.
pub const DROPPED_TEXT: Clue = Clue::new(180);
/// A value is invented.
pub const INVENTED: Clue = Clue::new(60);
/// A key would be a piece of a sentence.
pub const SENTENCE_AS_KEY: Clue = Clue::new(150);
