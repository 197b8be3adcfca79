//! What the tests of jsonseam, and of rules written elsewhere, are made of.
//!
//! * [`mod@laws`]: what must hold for every rule and every text, each law written once; [`laws!`] puts a rule to all of them with one line.
//! * [`cases`]: the TOML format of cases, and their verdicts. [`corpus`] runs a folder of them.
//! * [`generate`]: valid JSON documents whose strings look like anything but strings (see [`awkward`]).
//! * [`damage`]: those documents, damaged the way language models damage them, each with its known truth.
//! * [`hostile`]: texts that make a careless parser slow, one family per kind of carelessness.
//! * [`exhaustive`]: every short text there is, over the symbols that matter.
//! * [`fuzzing`]: the laws in the form that fuzz targets call.
//! * [`letters`]: the law that a letter is a letter, of however many bytes.
//! * [`readings`]: the laws that compare several subjects, or several truths of one text. [`doubtful`] makes texts with two truths, [`superset`] reads
//!   what supersets of JSON can spell, and [`blind`] compares what a rule answers on a text and on longer ones.
//! * [`subsets`]: rules in any number and any order, put to the laws together.
//! * [`workloads`]: the texts that speed is measured on.
//! * [`value`]: what a JSON text says, read so that nothing is lost, to compare it with what it should say.
//! * [`spellings`]: how keys, literals, comments, blanks and separators are spelled, and the law that all who read them agree.
//! * [`strategies`]: the above as `proptest` strategies.
//!
//! **Invariant**: nothing in the modules that make texts knows a rule, the engine or its recogniser.
//! A generator that shared code with what it tests would share its mistakes.
//!
//! Everything is made from a seed by [`random::Random`] and is the same on every platform, so a seed in a bug report is a test case.

pub mod awkward;
pub mod blind;
pub mod cases;
pub mod corpus;
pub mod damage;
pub mod doubtful;
pub mod exhaustive;
pub mod fuzzing;
pub mod generate;
pub mod hostile;
pub mod laws;
pub mod letters;
pub mod random;
pub mod readings;
pub mod rule_laws;
pub mod spellings;
pub mod strategies;
pub mod streams;
pub mod subject;
pub mod subsets;
pub mod superset;
pub mod value;
pub mod workloads;
