//! Commands of LaTeX whose backslash and first letter are an escape by chance, as in `\nabla`.

use super::EscapeIssueKind;

/// Commands of LaTeX that begin with `n` or `t`: what is left of them without that letter is not a word.
const COMMANDS: [&str; 28] = [
    "neq",
    "nabla",
    "notin",
    "newline",
    "newcommand",
    "nleq",
    "ngeq",
    "ncong",
    "nolimits",
    "nonumber",
    "noindent",
    "nsubseteq",
    "nrightarrow",
    "times",
    "theta",
    "tau",
    "textbf",
    "textit",
    "textrm",
    "texttt",
    "textsf",
    "tanh",
    "tfrac",
    "tbinom",
    "triangle",
    "triangleq",
    "therefore",
    "thickapprox",
];

/// Commands that begin with `b`, `f` or `r`: any other word after these letters may be text after a form feed.
const OTHER_COMMANDS: [&str; 22] = [
    "bar",
    "because",
    "begin",
    "beta",
    "big",
    "bigg",
    "binom",
    "bmod",
    "bot",
    "boxed",
    "bullet",
    "flat",
    "forall",
    "frac",
    "rangle",
    "rceil",
    "rfloor",
    "rho",
    "right",
    "rightarrow",
    "rvert",
    "rbrace",
];

/// Further commands that begin a formula, or a line of LaTeX.
const OTHER_FIRST: [&str; 18] = [
    "alpha", "gamma", "delta", "Delta", "epsilon", "lambda", "mu", "phi", "psi", "sigma", "omega", "pi", "int", "sum",
    "cdot", "partial", "hline", "item",
];

/// Whether a word is a command that may begin a formula or a line.
pub(super) fn is_known_command(word: &str) -> bool {
    [&COMMANDS[..], &OTHER_COMMANDS, &OTHER_FIRST].iter().any(|commands| commands.contains(&word))
}

/// Whether the word at the start of `rest`, which began an escape by chance, is a command that everybody knows.
pub(super) fn begins_known_command(rest: &str) -> bool {
    let len = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    rest.starts_with(['n', 't']) || OTHER_COMMANDS.contains(&&rest[..len])
}

/// Commands whose rest could be a name of its own: taken for commands within a formula only.
const COMMANDS_IN_FORMULAS: [&str; 3] = ["nu", "ne", "ni"];

/// Commands that may as well be a line break or a tab and a word, or a short name: taken for commands within a formula and before a brace.
const DOUBTFUL_COMMANDS: [&str; 12] =
    ["not", "neg", "nmid", "nsim", "nexists", "nparallel", "text", "tan", "to", "tilde", "top", "tag"];

/// What the word at the start of `rest` makes of the backslash before it.
pub(super) fn command(rest: &[u8], is_in_formula: bool) -> Option<EscapeIssueKind> {
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).take(16).count();
    let word = rest.get(..len).unwrap_or_default();
    let is_in = |commands: &[&str]| commands.iter().any(|command| command.as_bytes() == word);
    if is_in(&COMMANDS) || is_in_formula && is_in(&COMMANDS_IN_FORMULAS) {
        return Some(EscapeIssueKind::Accidental);
    }
    let is_sure = is_in_formula || rest.get(len) == Some(&b'{');
    is_in(&DOUBTFUL_COMMANDS).then_some(if is_sure { EscapeIssueKind::Accidental } else { EscapeIssueKind::Doubtful })
}
