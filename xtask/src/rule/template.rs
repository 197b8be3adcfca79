//! What a new rule looks like: a rule that works, small enough to see what each part is for.
//!
//! The mark it removes is `§`, which no other rule answers.

const CODE: &str = r#"//! `@name@`: TODO say in a few words what is wrong with the text.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

rule! {
    /// Removes a section mark before a value.
    ///
    /// # What
    /// A value is expected, and there is `§`, alone or several times. It is removed.
    ///
    /// # Why
    /// TODO say which models or tools write it, and why no reader can take it for anything else.
    ///
    /// # Example
    /// `{"a": §1}` becomes `{"a": 1}`.
    ///
    /// # Limits
    /// Never inside a string, nor before a key.
    pub struct @Type@ {
        name: "@name@",
        risk: @Risk@,
        answers: [Value],
    }
}

impl RepairRule for @Type@ {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let len = fault.ahead().take_while(|char| char == '§').len();
        to.only((len > 0).then(|| fault.blank_ahead(len)));
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(@Type@);
"#;

const CASES: &str = r#"# TODO: say what these cases have in common.

[[case]]
name = "the example"
input = '{"a": §1}'
output = '{"a": 1}'
rules = ["@name@"]

[[case]]
name = "nested, and more than one"
input = '{"a": [§§true, {"b": §"c"}]}'
output = '{"a": [true, {"b": "c"}]}'
rules = ["@name@", "@name@"]

[[case]]
name = "near miss: before a key"
input = '{§"a": 1}'
refused = "syntax"

[[case]]
name = "inside a string it is text"
input = '{"a": "§ 1"}'
output = '{"a": "§ 1"}'
"#;

/// The text of the rule's file.
pub(super) fn code(name: &str, type_name: &str, risk: &str) -> String {
    CODE.replace("@name@", name).replace("@Type@", type_name).replace("@Risk@", risk)
}

/// The text of the file of its cases.
pub(super) fn cases(name: &str) -> String {
    CASES.replace("@name@", name)
}
