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
        cases: "fence_after_text.toml",
    }
}

impl LocateRule for FenceAfterText {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.starts_with("{") || region.starts_with("[") {
            return;
        }
        let mut blocks = region.fenced_blocks();
        blocks.retain(|block| block.is_after_text && brackets::is_bracketed(region, block.body.clone()));
        if blocks.first().is_some_and(|block| brackets::is_inside_payload(region, block.start, &block.body)) {
            return;
        }
        let wanted = if region.wants_first_only() { 1 } else { usize::MAX };
        for block in blocks.into_iter().take(wanted) {
            found.push(block.body);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(FenceAfterText);
