//! The laws about one rule: its declaration, its cases, its answers.
//!
//! [`laws!`](crate::laws!) puts a rule to all of them; a rule's author needs nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use jsonseam_core::{Catalogue, Config, Edits, OptionValue, Pipeline, Registration, Risk, Role, Root, Usual};
use serde_json::Value;

use crate::cases::{self, Case};
use crate::damage::{Defect, damage_many};
use crate::generate::{RootKind, Shape, document};
use crate::hostile;
use crate::laws::{Violation, is_json, judge, linear};
use crate::letters;
use crate::random::Random;
use crate::readings::honest_outcome;
use crate::subject::{Log, Proposal, Subject, alone, among, among_for};

/// Puts a rule to every law: its declaration, its cases, and the behaviour of the rule alone and among all linked rules.
///
/// Expands to tests, so it goes under `#[cfg(test)]`:
///
/// ```text
/// #[cfg(test)]
/// jsonseam_testkit::laws!(FatArrow);
/// ```
///
/// For a family of rules in one file, each has a module of its own: `laws!(plus_sign: PlusSign, leading_zero: LeadingZero)`.
#[macro_export]
macro_rules! laws {
    ($rule:ident) => {
        $crate::laws!(laws: $rule);
    };
    ($($module:ident: $rule:ident),+ $(,)?) => {$(
        mod $module {
            use super::$rule;

            #[test]
            fn the_declaration_is_complete() {
                $crate::rule_laws::assert_holds($crate::rule_laws::declaration($rule::REGISTRATION));
            }

            #[test]
            fn every_case_has_the_verdict_it_claims() {
                $crate::rule_laws::assert_holds($crate::rule_laws::cases($rule::REGISTRATION));
            }

            #[test]
            fn the_laws_hold_for_the_rule_alone() {
                $crate::rule_laws::assert_holds($crate::rule_laws::behaviour($rule::REGISTRATION));
            }

            #[test]
            fn the_laws_hold_among_all_linked_rules() {
                $crate::rule_laws::assert_holds($crate::rule_laws::behaviour_among_all($rule::REGISTRATION));
            }

            #[test]
            fn letters_of_every_length_are_letters() {
                $crate::rule_laws::assert_holds($crate::rule_laws::letters($rule::REGISTRATION));
            }

            #[test]
            fn the_work_is_linear() {
                $crate::rule_laws::assert_holds($crate::rule_laws::linear_work($rule::REGISTRATION));
            }
        }
    )+};
}

/// Fails the running test with the violation, if there is one.
///
/// # Panics
///
/// When the law does not hold: that is the point.
pub fn assert_holds(result: Result<(), Violation>) {
    if let Err(violation) = result {
        panic!("{violation}");
    }
}

fn violation(law: &'static str, seen: impl Into<String>, text: &str) -> Violation {
    Violation { law, seen: seen.into(), text: text.to_owned() }
}

/// The package whose rules need no prefix.
const BUILT_IN: &str = "jsonseam-rules";

/// The declaration: names agree, the documentation has its headings and a true example, the cases are enough.
pub fn declaration(rule: &Registration) -> Result<(), Violation> {
    let fail = |seen: String| violation("declaration", seen, rule.name);
    let (prefix, name) = rule.name.rsplit_once('/').map_or((None, rule.name), |(prefix, name)| (Some(prefix), name));
    let is_kebab = |name: &str| {
        !name.is_empty()
            && name.split('-').all(|part| {
                !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            })
    };
    if !is_kebab(name) || !prefix.is_none_or(is_kebab) {
        return Err(fail("the name is not in kebab-case".to_owned()));
    }
    if prefix.is_none() && rule.package != BUILT_IN {
        return Err(fail("a rule outside jsonseam carries a prefix, as in `acme/fat-arrow`".to_owned()));
    }
    let stem = rule.file.rsplit(['/', '\\']).next().unwrap_or_default().trim_end_matches(".rs");
    if stem != name.replace('-', "_") && stem != "lib" && stem != "main" && !has_siblings(rule) {
        return Err(fail(format!("the file is named `{stem}.rs`, not `{}.rs`", name.replace('-', "_"))));
    }
    let pascal: String = name.split('-').map(capitalised).collect();
    if rule.type_name != pascal {
        return Err(fail(format!("the type is named `{}`, not `{pascal}`", rule.type_name)));
    }
    for heading in ["# What", "# Why", "# Example", "# Limits"] {
        if !rule.doc.lines().any(|line| line.trim() == heading) {
            return Err(fail(format!("the documentation lacks the heading `{heading}`")));
        }
    }
    if rule.summary().is_empty() {
        return Err(fail("the documentation does not start with a sentence".to_owned()));
    }
    let found = cases::parse(rule.cases).map_err(|error| fail(format!("the cases do not parse: {error}")))?;
    if found.len() < 4 {
        return Err(fail(format!(
            "{} cases; at least the example, a near miss, a nested one and one inside a string are needed",
            found.len()
        )));
    }
    if !found.iter().any(|case| case.rules.is_empty() && is_repairer(rule) || case.refused.is_some()) {
        return Err(fail("no case is a near miss that the rule must leave alone".to_owned()));
    }
    example(rule, &found).map_err(fail)
}

/// Whether the file of the rule holds a family of rules, and so cannot have the name of one of them.
fn has_siblings(rule: &Registration) -> bool {
    let linked = Catalogue::discovered(&[]);
    linked.is_ok_and(|linked| linked.rules().iter().any(|other| other.file == rule.file && other.name != rule.name))
}

fn is_repairer(rule: &Registration) -> bool {
    rule.risk().is_some()
}

fn capitalised(part: &str) -> String {
    let mut chars = part.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

/// The example of the documentation, "`input` becomes `output`" or "`input` gives `output`", is executed.
/// In it, ⏎ stands for a newline and `\u{…}` for a character that shows nothing.
fn example(rule: &Registration, cases: &[Case]) -> Result<(), String> {
    let section = rule.doc.split("# Example").nth(1).unwrap_or_default();
    let mut quoted = section.split('`').skip(1).step_by(2);
    let (Some(input), Some(output)) = (quoted.next(), quoted.next()) else {
        return Err("the example has no input and output in back-ticks".to_owned());
    };
    let (input, output) = (spelled_out(input), spelled_out(output));
    if cases.iter().any(|case| case.input == input && case.output.as_deref() == Some(&output)) {
        return Ok(());
    }
    Err("the example is not among the cases".to_owned())
}

fn spelled_out(text: &str) -> String {
    let text = text.replace('⏎', "\n");
    let Some((before, rest)) = text.split_once("\\u{") else {
        return text;
    };
    let Some((digits, after)) = rest.split_once('}') else {
        return text;
    };
    let char = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    format!("{before}{}{}", char.map_or_else(String::new, String::from), spelled_out(after))
}

/// Every case of the rule has the verdict it claims.
pub fn cases(rule: &Registration) -> Result<(), Violation> {
    let found = cases::parse(rule.cases).map_err(|error| violation("cases", error, rule.name))?;
    found.iter().try_for_each(|case| {
        let fail = |seen: String| violation("cases", format!("{}{seen}", place(rule, case)), &case.name);
        let (pipeline, log) = subject_of(rule, case).map_err(fail)?;
        let subject = case.subject(pipeline);
        let verdict = catch_unwind(AssertUnwindSafe(|| case.check(&*subject)));
        let verdict = verdict.unwrap_or_else(|_| Err("a panic".to_owned()));
        verdict.map_err(|seen| fail(seen + &last_answer(rule, &case.input, &log)))
    })
}

/// Where a case is written: the file beside the rule and the line of the name. Empty if the name is not written as it reads.
fn place(rule: &Registration, case: &Case) -> String {
    let source = Path::new(rule.file);
    let file = if rule.is_foreign() {
        source.with_extension("toml")
    } else {
        source.with_file_name(rule.name.to_owned() + ".toml")
    };
    let file = file.display();
    let names = |line: &str| {
        let value = line.trim().strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
        value.is_some_and(|value| value.trim().trim_matches(['"', '\'']) == case.name)
    };
    let line = rule.cases.lines().position(names);
    line.map_or_else(String::new, |line| format!("{file}:{}: ", line + 1))
}

/// What the rule answered last, and whether such an answer can be made: a refusal alone does not show that there was one.
fn last_answer(rule: &Registration, text: &str, log: &Log) -> String {
    if matches!(rule.role, Role::Locate { .. }) {
        return "; of the spans that a locator pushes, those outside its region do not count".to_owned();
    }
    let Some(last) = log.take().into_iter().flatten().last() else {
        return "; the rule answered no fault".to_owned();
    };
    let edits: Vec<_> = last.edits.iter().map(|edit| format!("{:?} → {:?}", edit.span, edit.replacement)).collect();
    let why = problem(text, &last.edits).map_or_else(String::new, |why| format!(", which is no edit: {why}"));
    format!("; at byte {} the rule answered {}{why}", last.fault, edits.join(", "))
}

/// The pipeline that a case beside a rule asks for: the rule with its options, then those of `with`; any root, unless the case names one.
pub fn subject_of(rule: &Registration, case: &Case) -> Result<(Pipeline, Log), String> {
    if case.preset.is_some() {
        return Err("`preset` is for the corpus: a case beside a rule runs with that rule".into());
    }
    let root = case.root.as_deref().map_or(Ok(Root::Any), str::parse).map_err(|_| "there is no such `root`")?;
    let linked = Catalogue::discovered(&[]).map_err(|error| error.to_string())?;
    let find = |name: &String| linked.rule(name).ok_or_else(|| format!("`with` names `{name}`, which is not linked"));
    let others: Vec<_> = case.with.iter().map(find).collect::<Result<_, _>>()?;
    let read = |(name, value)| option_value(value).map(|value| (name, value));
    let options: Option<Vec<(&String, OptionValue)>> = case.options.iter().map(read).collect();
    let options = options.ok_or("an option is neither a boolean, a number, a string nor a list of them")?;
    let borrowed: Vec<_> = options.iter().map(|(name, value)| (name.as_str(), value)).collect();
    among_for(root, rule, &borrowed, &others).map_err(|error| error.to_string())
}

fn option_value(value: &toml::Value) -> Option<OptionValue> {
    Some(match value {
        toml::Value::Boolean(value) => OptionValue::Boolean(*value),
        toml::Value::Integer(value) => OptionValue::Integer(*value),
        toml::Value::Float(value) => OptionValue::Float(*value),
        toml::Value::String(value) => OptionValue::String(value.clone()),
        toml::Value::Array(values) => OptionValue::List(values.iter().map(option_value).collect::<Option<_>>()?),
        _ => return None,
    })
}

/// Texts to try a rule on: its cases, every beginning of them, valid and damaged documents.
fn texts(rule: &Registration) -> Vec<String> {
    let mut texts = Vec::new();
    for case in cases::parse(rule.cases).unwrap_or_default() {
        let ends = (0..=case.input.len()).filter(|&end| case.input.is_char_boundary(end));
        texts.extend(ends.map(|end| case.input[..end].to_owned()));
    }
    let mut random = Random::new(rule.name.bytes().map(u64::from).sum());
    for _ in 0..60 {
        let shape = Shape::any(RootKind::Any, &mut random);
        texts.push(document(&shape, &mut random).text());
    }
    texts.extend(damage_many(random.next_u64(), Defect::ALL, 120).map(|damaged| damaged.text));
    texts
}

/// Every law holds for the rule alone, every answer of the rule is one that could be made, and its risk is no less than it says.
///
/// A list of texts that an option takes may hold the empty one: the rule holds to the laws all the same, or its option refuses it.
pub fn behaviour(rule: &Registration) -> Result<(), Violation> {
    let (pipeline, log) = alone(rule).map_err(|error| violation("declaration", error.to_string(), rule.name))?;
    let texts = texts(rule);
    behaves(rule, &pipeline, &log, &texts)?;
    keeps_to_usual(rule, &pipeline)?;
    let blank = OptionValue::List(vec![OptionValue::String(String::new())]);
    for option in rule.options {
        if let Ok((pipeline, log)) = among(rule, &[(&option.name(), &blank)], &[]) {
            behaves(rule, &pipeline, &log, &texts).map_err(|broken| Violation {
                seen: format!("with `{} = [\"\"]`, {}", option.name(), broken.seen),
                ..broken
            })?;
        }
    }
    Ok(())
}

fn behaves(rule: &Registration, pipeline: &Pipeline, log: &Log, texts: &[String]) -> Result<(), Violation> {
    for text in texts {
        log.take();
        let outcome = judge(pipeline, text)?;
        let asked = log.take();
        keeps_to_landmarks(text, log)?;
        if is_json(text) && !asked.is_empty() {
            return Err(violation("quiet", "the rule was asked about valid text", text));
        }
        if rule.risk() < Some(Risk::Guess) {
            decided(text, &asked)?;
        }
        answers(text, asked)?;
        // The risk of a locator that edits is a promise about what it takes for a payload, which no single edit shows.
        if matches!(rule.role, Role::Repair { .. }) {
            honest_outcome(&outcome, text)?;
        }
    }
    Ok(())
}

/// Every law holds for the rule before all other linked rules, in the order of their names.
pub fn behaviour_among_all(rule: &Registration) -> Result<(), Violation> {
    let linked = Catalogue::discovered(&[]).map_err(|error| violation("declaration", error.to_string(), rule.name))?;
    let broken = |error: jsonseam_core::ConfigError| violation("declaration", error.to_string(), rule.name);
    let (pipeline, log) = among(rule, &[], linked.rules()).map_err(broken)?;
    // Answers to a text that a locator has edited are places of that text, which is not known here: then those to the text itself decide.
    let edits = |rule: &&Registration| matches!(rule.role, Role::Locate { locates, .. } if locates.risk().is_some());
    let others: Vec<_> = linked.rules().iter().copied().filter(|rule| !edits(rule)).collect();
    let (plain, plain_log) = among(rule, &[], &others).map_err(broken)?;
    for text in texts(rule) {
        log.take();
        judge(&pipeline, &text)?;
        keeps_to_landmarks(&text, &log)?;
        if answers(&text, log.take()).is_err() {
            plain_log.take();
            drop(Subject::repair(&plain, &text));
            answers(&text, plain_log.take())?;
        }
    }
    Ok(())
}

/// In every case of the rule, alone and among all linked rules, a letter of several bytes does what one of ASCII does.
pub fn letters(rule: &Registration) -> Result<(), Violation> {
    let broken = |error: String| violation("declaration", error, rule.name);
    let linked = Catalogue::discovered(&[]).map_err(|error| broken(error.to_string()))?;
    let (among_all, _) = among(rule, &[], linked.rules()).map_err(|error| broken(error.to_string()))?;
    for case in cases::parse(rule.cases).map_err(broken)? {
        letters::check(&subject_of(rule, &case).map_err(broken)?.0, &case.input)?;
        letters::check(&among_all, &case.input)?;
    }
    Ok(())
}

/// A locator that was asked everywhere has found nothing without its landmarks.
fn keeps_to_landmarks(text: &str, log: &Log) -> Result<(), Violation> {
    let beyond = log.take_beyond_landmarks();
    let seen = |start| format!("a find in the region at {start} is without the locator's landmarks");
    beyond.map_or(Ok(()), |start| Err(violation("keyed", seen(start), text)))
}

/// A locator that says that it finds nothing in usual completions has found nothing there.
fn keeps_to_usual(rule: &Registration, pipeline: &Pipeline) -> Result<(), Violation> {
    const BARE: [&str; 5] = [
        "{\"a\": 1}\nDone.",
        "Here is the JSON:\n\n{\"a\": \"<b>x</b> ```\"}",
        "It's (nearly) 100%: {\"a\": {\"b\": [1]}}, see #4.",
        "Answer: {\"type\": \"object\", \"a\": \"{\\\"b\\\": 1}\"} - thanks!",
        "Voil\u{e0} \u{2014} so:\n{\"think\": \"</think>\"}",
    ];
    const FENCED: [&str; 3] =
        ["```json\n{\"a\": 1}\n```", "So:\n```\n{\"a\": \"<x>\"}\n```\nDone.", "~~~JSON\n{\"a\": {\"b\": 2}}\n~~~\n"];
    let Role::Locate { landmarks, .. } = rule.role else { return Ok(()) };
    let fenced = if landmarks.usual == Usual::Nothing { &FENCED[..] } else { &[] };
    let bare = if matches!(landmarks.usual, Usual::Nothing | Usual::Fenced) { &BARE[..] } else { &[] };
    let nothing = Pipeline::from_rules(&Config::default().with_root(Root::Any), Vec::new());
    let payload = |pipeline: &Pipeline, text: &str| pipeline.repair(text).ok().map(|repaired| repaired.payload());
    for text in bare.iter().chain(fenced) {
        if payload(pipeline, text) != payload(&nothing, text) {
            return Err(violation(
                "keyed",
                "a find in a usual completion, where the locator says it finds nothing",
                text,
            ));
        }
    }
    Ok(())
}

/// Every answer of a rule is well-formed: in order, on character boundaries, not after the fault, and it changes something.
/// The engine declines any other, so such an answer is a defect of the rule.
fn answers(text: &str, asked: Vec<Option<Proposal>>) -> Result<(), Violation> {
    for proposal in asked.into_iter().flatten() {
        if let Some(problem) = problem(text, &proposal.edits) {
            return Err(violation("forward", problem, text));
        }
        if proposal.edits.first().span.start > proposal.fault {
            return Err(violation("forward", "the first edit starts after the fault", text));
        }
    }
    Ok(())
}

/// A rule below `guess` does not choose among values: of several answers to one fault, all that make the text JSON make it the same value.
fn decided(text: &str, asked: &[Option<Proposal>]) -> Result<(), Violation> {
    let mut first: Option<Value> = None;
    for proposal in asked.iter().flatten() {
        if proposal.nth == 0 {
            first = None;
        }
        if problem(text, &proposal.edits).is_some() {
            continue;
        }
        let Ok(value) = serde_json::from_str::<Value>(&applied(text, &proposal.edits)) else { continue };
        match &first {
            Some(first) if *first != value => {
                let seen = format!("two answers to the fault at byte {} are different values", proposal.fault);
                return Err(violation("decided", seen, text));
            }
            _ => first = Some(value),
        }
    }
    Ok(())
}

/// The text with these edits, which can be made.
fn applied(text: &str, edits: &Edits) -> String {
    let mut output = String::with_capacity(text.len());
    let mut pos = 0;
    for edit in edits.iter() {
        output.push_str(&text[pos..edit.span.start]);
        output.push_str(&edit.replacement);
        pos = edit.span.end;
    }
    output.push_str(&text[pos..]);
    output
}

/// Why edits could not be made, if they could not.
fn problem(text: &str, edits: &Edits) -> Option<String> {
    let mut pos = 0;
    for edit in edits.iter() {
        let removed = text.get(edit.span.clone());
        let problem = if edit.span.start > edit.span.end || edit.span.start < pos {
            "is out of order"
        } else if edit.span.end > text.len() {
            "runs past the end of the text"
        } else if removed.is_none() {
            "splits a character"
        } else if removed == Some(&*edit.replacement) {
            "changes nothing"
        } else {
            pos = edit.span.end;
            continue;
        };
        return Some(format!("edit {:?} {problem}", edit.span));
    }
    None
}

/// The work of the rule grows linearly: alone on every hostile family, and alone and among all linked rules on each of its own cases repeated, since
/// no general family need provoke a rule as its own defect does. Every family among all linked rules is the same pipeline whichever rule asks for
/// it: the first rule of a package does.
pub fn linear_work(rule: &Registration) -> Result<(), Violation> {
    let broken = |error: jsonseam_core::ConfigError| violation("declaration", error.to_string(), rule.name);
    let linked = Catalogue::discovered(&[]).map_err(broken)?;
    let mut of_package = linked.rules().iter().filter(|other| other.package == rule.package);
    let is_first = of_package.all(|other| rule.name <= other.name);
    let own = cases::parse(rule.cases).unwrap_or_default();
    let (alone, _) = alone(rule).map_err(broken)?;
    let (among_all, _) = among(rule, &[], linked.rules()).map_err(broken)?;
    for family in hostile::families() {
        linear(&alone, family.name, &family.make, 2_048)?;
        if is_first {
            linear(&among_all, family.name, &family.make, 2_048)?;
        }
    }
    for case in own.iter().filter(|case| case.output.is_some() && !case.input.is_empty()) {
        let element = format!("{},", case.input);
        let repeated = |n: usize| format!("[{}1]", element.repeat(n / element.len() + 1));
        linear(&alone, &case.name, &repeated, 4_096)?;
        linear(&among_all, &case.name, &repeated, 4_096)?;
    }
    Ok(())
}
