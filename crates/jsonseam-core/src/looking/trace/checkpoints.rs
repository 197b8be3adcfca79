//! Where the reading of a broken text may be taken up again, so that what precedes its fault is not read twice.

use std::ops::Range;

use super::narrow;
use crate::reading::recognise::{Ending, Next, State, Stop, TokenKind, Trace, finish, run};
use crate::reading::scan::is_json_space;
use crate::reading::token::Container;

/// How many levels of containers are noted.
const LEVELS: usize = 16;

/// A checkpoint is at least this far before the fault, in bytes, so that most often enough tokens are read again.
const NEAR: usize = 128;

/// A text shorter than this, in bytes, is read twice at little cost.
const SHORT: usize = 1024;

/// Where the latest container of each level opens, and the one before it.
struct Openers {
    latest: [u32; LEVELS],
    former: [u32; LEVELS],
}

/// A place before the bracket of a container within a broken value, and what was open there.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    pub(crate) pos: usize,
    pub(crate) state: State,
    opened: [u32; LEVELS],
}

impl Checkpoint {
    /// Where the value starts.
    pub(crate) fn start(&self) -> usize {
        self.opened[0] as usize
    }

    /// The containers that are open there and where each opens, the outermost first.
    pub(crate) fn open(&self) -> impl Iterator<Item = (Container, usize)> {
        let depth = usize::from(self.state.depth);
        self.opened[..depth].iter().enumerate().map(move |(level, &pos)| {
            let is_object = self.state.containers >> (depth - 1 - level) & 1 == 1;
            (if is_object { Container::Object } else { Container::Array }, pos as usize)
        })
    }
}

impl Openers {
    /// A checkpoint at the last container that opens far enough before `at`.
    fn before(&self, at: usize, text: &[u8]) -> Option<Box<Checkpoint>> {
        // Each of these is the latest one in the one before it.
        let levels = 1 + self.latest.windows(2).take_while(|pair| pair[0] < pair[1]).count();
        let of_level = |level: usize| {
            // Of an earlier one, the container around it may have closed since.
            let parent = level.checked_sub(1).map_or(0, |parent| self.latest[parent]);
            [self.latest[level], self.former[level]].into_iter().filter(move |&pos| pos > parent)
        };
        let far = |&(_, pos): &(usize, u32)| pos as usize + NEAR <= at;
        let places = (1..levels).flat_map(|level| of_level(level).map(move |pos| (level, pos)));
        let (level, pos) = places.filter(far).max_by_key(|&(_, pos)| pos)?;
        let is_first = text[..pos as usize].iter().rfind(|byte| !is_json_space(**byte)) == Some(&b'[');
        let state = State {
            next: if is_first { Next::ValueOrClose } else { Next::Value },
            depth: u8::try_from(level).ok()?,
            containers: self.latest[..level]
                .iter()
                .fold(0, |kinds, &pos| kinds << 1 | u128::from(text[pos as usize] == b'{')),
            ..State::START
        };
        Some(Box::new(Checkpoint { pos: pos as usize, state, opened: self.latest }))
    }
}

#[allow(clippy::inline_always, reason = "most tokens need no code")]
impl Trace for Openers {
    #[inline(always)]
    fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, _: usize) {
        let level = usize::from(before.depth);
        if matches!(kind, TokenKind::ObjectStart | TokenKind::ArrayStart) && level < LEVELS {
            self.former[level] = std::mem::replace(&mut self.latest[level], narrow(span.start));
        }
    }
}

/// How far a first reading came, and where a second one may begin.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    pub(crate) state: State,
    pub(crate) stop: Stop,
    /// Where the text stops being JSON.
    pub(crate) at: usize,
    pub(crate) checkpoint: Option<Box<Checkpoint>>,
}

/// Reads `text` from `start` on as one JSON text of RFC 8259 within the depth; an error tells where it stops being one.
pub(crate) fn read_first(text: &[u8], start: usize, max_depth: u8) -> Result<(), Broken> {
    // A WebAssembly module is loaded before it reads: there a second copy of the recogniser is not worth its size.
    if cfg!(target_family = "wasm") || text.len() - start.min(text.len()) < SHORT {
        return read_on(text, start, max_depth, &mut ());
    }
    let mut openers = Openers { latest: [0; LEVELS], former: [0; LEVELS] };
    read_on(text, start, max_depth, &mut openers)
        .map_err(|broken| Broken { checkpoint: openers.before(broken.at, text), ..broken })
}

fn read_on<T: Trace>(text: &[u8], start: usize, max_depth: u8, trace: &mut T) -> Result<(), Broken> {
    let mut state = State::START;
    let stop = run(&mut state, text, start, max_depth, trace);
    if stop == Stop::Exhausted && finish(&mut state, text.len(), trace) == Ending::Complete {
        return Ok(());
    }
    Err(Broken { at: state.stopped_at(stop, text.len()), state, stop, checkpoint: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::looking::frames::{Frames, Guide};
    use crate::looking::trace::Recorder;

    /// Rows that differ in what they hold, one of them deeper than is noted.
    fn document() -> String {
        let deep = format!("{}1{}", "[".repeat(20), "]".repeat(20));
        let row = |id: usize| {
            let tags = ["[]", "[ {\"x\": [1, 2]} , [3] ]", "{}", "\"a [ {\"", deep.as_str()][id % 5];
            format!("{{\"id\": {id}, \"tags\": {tags},\n \"size\": {{\"w\": [{id}, {{\"v\": null}}]}}}}")
        };
        let rows: Vec<_> = (0..40).map(row).collect();
        format!("{{\"rows\": [{}], \"total\": 40}}", rows.join(", "))
    }

    #[test]
    fn a_checkpoint_is_where_a_reading_from_the_start_comes_by() {
        let text = document();
        let mut kept = 0;
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = 1;
            let broken = read_first(&bytes, 0, 127).expect_err("a control character is valid nowhere");
            let Some(checkpoint) = broken.checkpoint else { continue };
            kept += 1;
            assert!(checkpoint.pos + NEAR <= broken.at, "{at}");
            let (mut state, mut recorder) = (State::START, Recorder::default());
            let guide = Guide { source: &text, evidence: None };
            let stop = run(&mut state, &bytes[..checkpoint.pos], 0, 127, &mut recorder.of(guide));
            assert_eq!(stop, Stop::Exhausted, "{at}");
            let place = |state: &State| (state.next, state.partial, state.depth, state.containers);
            assert_eq!(place(&state), place(&checkpoint.state), "{at}");
            let mut frames = Frames::default();
            frames.open_all(checkpoint.open());
            let opened = |frames: &Frames| frames.opened().collect::<Vec<_>>();
            assert_eq!(opened(&frames), opened(&recorder.frames), "{at}");
        }
        // All but those near the start have one.
        assert!(kept + 300 > text.len(), "{kept} of {}", text.len());
    }
}
