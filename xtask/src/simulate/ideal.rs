//! The ideal loop: which requests ought to be sent, given what each answer is worth.

use jsonseam::reask::{Mode, Settings, Stop};

/// A request as far as the ideal loop tells it: attempt, mode, and which re-ask of its mode it is (0 for none).
pub(super) type Sent = (u32, Mode, u32);

/// What a line of a script is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worth {
    /// The answer meets the contract.
    Good,
    /// It does not. Equal answers have equal numbers.
    Bad(usize),
    /// It was cut off.
    Cut,
    /// It does not, and asking again cannot help.
    Hopeless,
    /// There is no answer this time.
    Again,
}

/// What is sent, and why it ends; `None` is success. A script that fails in the transport too often, or too long, has no place in this loop.
pub(super) fn ideal(settings: &Settings, worths: impl IntoIterator<Item = Worth>) -> (Vec<Sent>, Option<Stop>) {
    let mut worths = worths.into_iter();
    let (mut sent, mut attempt) = (Vec::new(), 0);
    let modes: Vec<Mode> = std::iter::once(settings.mode).chain(settings.fallback.iter().copied()).collect();
    let mut stop = Stop::Exhausted;
    for mode in modes {
        let mut known = Vec::new();
        for reask in 0..=settings.max_attempts {
            attempt += 1;
            let worth = loop {
                sent.push((attempt, mode, reask));
                match worths.next() {
                    Some(Worth::Again) => {}
                    Some(worth) => break worth,
                    None => return (sent, Some(Stop::Cancelled)),
                }
            };
            match worth {
                Worth::Good => return (sent, None),
                Worth::Cut => return (sent, Some(Stop::Truncated)),
                Worth::Hopeless => return (sent, Some(Stop::NotRetryable)),
                Worth::Bad(number) if known.contains(&number) => {
                    stop = Stop::Repeated;
                    break;
                }
                Worth::Bad(number) => {
                    known.push(number);
                    stop = Stop::Exhausted;
                }
                Worth::Again => {}
            }
        }
    }
    (sent, Some(stop))
}

#[cfg(test)]
mod tests {
    use jsonseam::reask::{Mode, Settings, Stop};

    use super::{Worth, ideal};

    #[test]
    fn the_ideal_loop_does_what_the_specification_says() {
        use Worth::{Again, Bad, Cut, Good};
        let mut settings = Settings::default();
        settings.fallback = vec![Mode::Text];
        let (first, last) = (Mode::JsonSchema, Mode::Text);
        assert_eq!(ideal(&settings, [Good]), (vec![(1, first, 0)], None));
        assert_eq!(ideal(&settings, [Cut]), (vec![(1, first, 0)], Some(Stop::Truncated)));
        assert_eq!(ideal(&settings, [Again, Bad(1), Good]), (vec![(1, first, 0), (1, first, 0), (2, first, 1)], None));
        let sent = vec![(1, first, 0), (2, first, 1), (3, last, 0)];
        assert_eq!(ideal(&settings, [Bad(1), Bad(1), Good]), (sent, None));
        let (sent, stop) = ideal(&settings, [1, 2, 3, 1, 2, 2].map(Bad));
        assert_eq!((sent.len(), stop), (6, Some(Stop::Repeated)));
        let (sent, stop) = ideal(&settings, [1, 2, 3, 1, 2, 3].map(Bad));
        assert_eq!((sent.len(), stop), (6, Some(Stop::Exhausted)));
    }
}
