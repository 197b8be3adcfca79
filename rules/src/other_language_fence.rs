//! `other-language-fence`: fenced code blocks tagged with another language.

use jsonseam_core::{Candidates, LocateRule, Region, rule};

use crate::shared::brackets;

rule! {
    /// Narrows the completion to a fenced block that is tagged with a language other than JSON.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and a fence opens at a line start with the tag `json5`, `jsonc`,
    /// `jsonl`, `hjson`, `javascript`, `js`, `typescript`, `ts`,
    /// `python`, `py`, `text` or `txt`, in any case. The first such block whose content starts with `{` or `[` is searched.
    ///
    /// # Why
    /// Models choose the tag by how the text looks: with comments `jsonc`, with single quotes `python`.
    ///
    /// # Example
    /// `From {x}:⏎~~~json5⏎{"a": 1}⏎~~~` gives `{"a": 1}` (⏎ is a newline).
    ///
    /// # Limits
    /// This rule is asked after `markdown-fence`, so a block tagged `json` or not tagged comes first.
    /// A block whose content starts with anything else is passed over.
    pub struct OtherLanguageFence {
        name: "other-language-fence",
        locates: Regions,
        never_starts: "{[",
        holds: ["`", "~"],
        usual: Nothing,
    }
}

const TAGS: [&str; 12] =
    ["json5", "jsonc", "jsonl", "hjson", "javascript", "js", "typescript", "ts", "python", "py", "text", "txt"];

impl LocateRule for OtherLanguageFence {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let is_tagged = |tag: &str| TAGS.iter().any(|known| tag.eq_ignore_ascii_case(known));
        brackets::push_bracketed_blocks(region, found, |block| !block.is_after_text && is_tagged(block.tag));
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(OtherLanguageFence);
