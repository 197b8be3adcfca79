//! From the head of a call to its calls: which of the bodies a format has.

use std::ops::Range;

use crate::call::{Call, name_in};
use crate::cursor::{Cursor, Stop, trimmed};
use crate::pack::{Body, Format};
use crate::reader::Reader;
use crate::template::Match;
use crate::{elements, named, tagged, text};

impl Reader<'_, '_> {
    /// The calls after a head, and where they end.
    pub(crate) fn calls(&self, format: &Format, head: &Match) -> Result<(Vec<Call>, usize), Stop> {
        let name = match head.hole("name") {
            Some(span) => Some(name_in(self.text, span.clone(), &format.row).ok_or(Stop::Malformed(span.start))?),
            None => None,
        };
        let name = name.map(|name| match head.hole("name") {
            Some(whole) if format.row.numbered => self.offered_in(whole).unwrap_or(name),
            _ => self.within_namespace(name),
        });
        let number = name.clone().filter(|name| format.row.numbered && self.is_number(name));
        let only = number.zip(self.tools.only_tool());
        if let Some((name, whole)) = name.clone().zip(head.hole("name")).filter(|_| only.is_none()) {
            // Without its count a name is one only if it was offered.
            let is_counted =
                !format.row.numbered || self.text.get(name.end..whole.end).is_some_and(|count| count.starts_with(':'));
            if !is_counted && !self.text.get(name.clone()).is_some_and(|name| self.tools.offers(name)) {
                return Err(Stop::Malformed(name.start));
            }
        }
        let mut at = Cursor::new(self.text, head.end);
        let calls = match (format.row.body, name) {
            (Body::Calls, name) => self.objects(&mut at, format, name)?,
            (Body::Python, _) => self.python(&mut at, format)?,
            (Body::Arguments, Some(name)) => vec![self.arguments(&mut at, format, name)?],
            (Body::Tagged, Some(name)) => {
                let call = tagged::call(self, &mut at, format, head, name)?;
                let is_escaped = format.row.entities && call.name.contains('&');
                let decoded = tagged::without_entities(&call.name);
                vec![if is_escaped { call.renamed(decoded) } else { call }]
            }
            (Body::Bare, Some(name)) => vec![self.bare(&mut at, format, name)?],
            (Body::Elements, Some(name)) => vec![elements::call(self, &mut at, format, name)?],
            (Body::Named, Some(name)) => vec![named::call(self, &mut at, format, name)?],
            (Body::Text, Some(name)) => vec![text::call(self, &mut at, format, name)?],
            (Body::Lines, _) => vec![self.lines(&mut at, format)?],
            (_, None) => return Err(Stop::Malformed(head.end)),
        };
        self.end(&mut at, format)?;
        match format.row.body {
            Body::Tagged => tagged::closes_once(self, &at, format)?,
            Body::Elements => elements::closes_once(self, &at, format)?,
            _ => {}
        }
        let counted = head.hole("name").filter(|_| format.row.numbered);
        let id = head.hole("id").or(counted).and_then(|id| self.text.get(id));
        let named = |call: Call| match &only {
            Some((number, tool)) => call.of_only_tool(number.clone(), tool),
            None => call,
        };
        Ok((calls.into_iter().map(|call| named(call).with_id(id)).collect(), at.pos))
    }

    /// Whether an identifier is nothing but the number of its call.
    fn is_number(&self, name: &Range<usize>) -> bool {
        self.text.get(name.clone()).is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// The part of a name that is the tool's, after a namespace.
    pub(crate) fn within_namespace(&self, name: Range<usize>) -> Range<usize> {
        let whole = self.text.get(name.clone()).unwrap_or_default();
        name.end - self.tools.within_namespace(whole).len()..name.end
    }

    /// The one offered tool that an identifier names, which is made of its name, a count, and what clients and servers write in place of `functions.` and `:`.
    fn offered_in(&self, identifier: Range<usize>) -> Option<Range<usize>> {
        const PREFIXES: [&str; 6] = ["functions.", "functions_", "functions", "call_", "call", ""];
        let span = trimmed(self.text, identifier);
        let whole = self.text.get(span.clone()).filter(|whole| !self.tools.offers(whole))?;
        let uncounted = whole.trim_end_matches(|char: char| char.is_ascii_digit());
        let names = PREFIXES.iter().filter_map(|prefix| {
            let name = uncounted.strip_prefix(prefix)?;
            let start = span.start + prefix.len();
            // A count is after a sign, or after the name itself.
            let mut ends = [name, name.strip_suffix([':', '_', '-', '.']).unwrap_or(name)].into_iter();
            let name = ends.rfind(|name| uncounted.len() < whole.len() && self.tools.offers(name))?;
            Some(start..start + name.len())
        });
        let mut names: Vec<_> = names.collect();
        names.dedup();
        if let [only] = names.as_slice() { Some(only.clone()) } else { None }
    }
}
