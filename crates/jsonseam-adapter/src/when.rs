//! When a stream speaks of an output.

/// What a stream tells of an output before the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum When {
    /// The field when it is whole.
    #[default]
    Done,
    /// That it begins, too.
    Started,
    /// All that is known of it: the text of a string and the elements of an array as they come.
    State,
}
