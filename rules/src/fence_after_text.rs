//! `fence-after-text`: fenced code blocks that open after text on a line.

use jsonseam_core::{Candidates, LocateRule, Region, rule};

use crate::shared::brackets;

rule! {
    /// Narrows the completion to a fenced block that opens after text on its line.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and a line of it ends in a fence, with a tag or without, and the text after that line starts with `{` or `[`.
    /// The block ends at the next line that is a bare fence, or where a line ends in one.
    ///
    /// # Why
    /// Models forget the newline before a fence, or write it into an item of a list.
    ///
    /// # Example
    /// `From {x}: ~~~json⏎{"a": 1}⏎~~~` gives `{"a": 1}` (⏎ is a newline).
    ///
    /// # Limits
    /// This rule is asked after the rules for fences at a line start. A line with an even number of runs holds inline code and opens no block.
    pub struct FenceAfterText {
        name: "fence-after-text",
        locates: Regions,
        never_starts: "{[",
        holds: ["`", "~"],
        usual: Nothing,
    }
}

impl LocateRule for FenceAfterText {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        brackets::push_bracketed_blocks(region, found, |block| block.is_after_text);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(FenceAfterText);
