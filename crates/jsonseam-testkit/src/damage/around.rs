//! What is around a payload: prose, a fenced block, a byte order mark.

use super::draft::Draft;
use super::{Defect, Site};
use crate::random::Random;

/// Prose before a payload: quotes and apostrophes, but no bracket, no fence and nothing that looks like a member.
const BEFORE: &[&str] = &[
    "Here is the JSON:",
    "Sure! It's ready, don't worry.",
    "Result =",
    "The \"final\" answer is",
    "**Output**",
    "# Answer",
    "1. First, I looked it up;\n2. then I wrote this:",
    "Voilà \u{2013} le résultat :",
    "Note: 3 > 2 & \u{201c}so on\u{201d}",
];

/// Prose after a payload. Nothing begins with `,`, `:` or a closer, after which a root has not ended (SPEC P2).
const AFTER: &[&str] = &[
    "Hope this helps!",
    "Let me know if you'd like changes.",
    "(That's \"all\".)",
    "*Done*",
    ". And that is it",
    "\u{1f642}",
    "P.S. it's 100% valid;",
    "\u{2014} the assistant",
];

/// Prose around a fenced block may hold braces and quoted members: the block is the only region.
const BEFORE_FENCE: &[&str] =
    &["Here is the JSON:", "Replace {name} as needed:", "As in [1], \"a\": 2,", "Don't use `{x}`:", "It's this:\n"];

/// Puts the defect around the payload, or `None` if it cannot stand there.
pub(super) fn apply(draft: &mut Draft, defect: Defect, site: Site, random: &mut Random) -> Option<()> {
    match defect {
        Defect::LeadingByteOrderMark => draft.before.insert(0, '\u{feff}'),
        Defect::SurroundingProse => return prose(draft, site, random),
        Defect::MarkdownFence => return fence(draft, site, random),
        _ => return None,
    }
    Some(())
}

/// Whether `site` asks for something before the payload, and whether for something after it.
fn sides(draft: &Draft, site: Site, random: &mut Random) -> (bool, bool) {
    let (before, after) = match site {
        Site::First => (true, false),
        Site::Last => (false, true),
        Site::Nested | Site::Empty => (true, true),
        Site::Any => *random.pick(&[(true, false), (false, true), (true, true)]).unwrap_or(&(true, true)),
    };
    if draft.is_cut { (true, false) } else { (before, after) }
}

fn prose(draft: &mut Draft, site: Site, random: &mut Random) -> Option<()> {
    if !draft.has_container_root() {
        return None;
    }
    let (before, after) = sides(draft, site, random);
    let stands_before_fence = !draft.before.is_empty();
    let stands_after_fence = !draft.after.is_empty();
    if before {
        let gap = if stands_before_fence { "\n" } else { random.pick_text(&[" ", "\n", "\n\n", "", "\r\n"]) };
        draft.before = format!("{}{gap}{}", random.pick_text(BEFORE), draft.before);
    }
    // An unclosed block runs to the end of the text, so nothing can be put after it.
    let after = after && (stands_after_fence || !stands_before_fence);
    if after {
        let gap = if stands_after_fence { "\n" } else { random.pick_text(&[" ", "\n", "\n\n", "", "\r\n"]) };
        draft.after = format!("{}{gap}{}", draft.after, random.pick_text(AFTER));
    }
    (before || after).then_some(())
}

fn fence(draft: &mut Draft, site: Site, random: &mut Random) -> Option<()> {
    let payload = draft.payload();
    let mark = if random.chance(1, 4) { "~" } else { "`" };
    // A fence run inside the payload could be taken for the end of a block that has no closing line of its own.
    let holds_fence = payload.contains("```") || payload.contains("~~~");
    if draft.is_cut && holds_fence {
        return None;
    }
    let run = mark.repeat(if random.chance(1, 8) { 4 } else { 3 });
    let tag = random.pick_text(&["json", "json", "json", "", "JSON", "Json"]);
    let indent = random.pick_text(&["", "", "", "", " ", "   "]);
    let newline = if random.chance(1, 8) { "\r\n" } else { "\n" };
    let begins_on_tag_line = !tag.is_empty() && !holds_fence && random.chance(1, 12);
    let gap = if begins_on_tag_line { " " } else { newline };
    let is_unclosed = draft.is_cut || site == Site::Any && !holds_fence && random.chance(1, 10);

    let mut before = format!("{indent}{run}{tag}{gap}");
    let mut after = if is_unclosed { String::new() } else { format!("{newline}{indent}{run}") };
    if matches!(site, Site::Last | Site::Any | Site::Nested) && random.chance(1, 2) {
        let other_block = if !tag.is_empty() && random.chance(1, 6) { "```sh\ncurl {x}\n```\n" } else { "" };
        before = format!("{}\n{other_block}{before}", random.pick_text(BEFORE_FENCE));
    }
    if !is_unclosed && site != Site::Last {
        after.push_str(random.pick_text(&["", "\n", "\n\nHope this helps!", "\nUse {name} for the \"key\".", "\r\n"]));
    }
    draft.before = before;
    draft.after = after;
    Some(())
}
