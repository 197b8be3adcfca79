//! Cases in which the reader differs from another parser on purpose: what it makes of each, and why.

/// A case by its id, the outcome that is expected, and the reason. A case that comes out in another way fails the task: it is no policy any more.
pub(super) const POLICY: [(&str, &str, &str); 30] = [
    ("vllm-00256", "refused:malformed", UNESCAPED),
    ("vllm-00270", "missed", BESIDE_PROSE),
    ("vllm-00277", "missed", BESIDE_PROSE),
    ("vllm-00348", "other-values", "a digit is never dropped: `018956` is no number (SPEC B6)"),
    ("vllm-00411", "missed", "bare JSON without offered tools may be the answer"),
    ("vllm-00573", "other-values", "a number in a member that no schema declares is a number"),
    ("vllm-00634", "refused:malformed", VANISHES),
    ("vllm-00638", "refused:limit_exceeded", VANISHES),
    ("vllm-01052", "refused:malformed", NAMELESS),
    ("vllm-01103", "refused:not_offered", "the tool is not offered"),
    ("sglang-01429", "refused:mark_left", NAMELESS),
    ("smg-01448", "missed", "the name of a tool holds no `<`"),
    ("smg-01576", "refused:malformed", BESIDE_PROSE),
    ("smg-01646", "other-values", TEXT_FIRST),
    ("smg-01647", "other-values", TEXT_FIRST),
    ("smg-01751", "refused:malformed", VANISHES),
    (
        "dynamo-01881",
        "refused:malformed",
        "without offered tools, a name alone is a call in one version of the format and text in another (smg-01565)",
    ),
    ("dynamo-02024", "missed", BESIDE_PROSE),
    ("dynamo-02044", "missed", BESIDE_PROSE),
    ("dynamo-02118", "other-values", UNKNOWN),
    ("dynamo-02120", "other-values", UNKNOWN),
    ("dynamo-02122", "other-values", UNKNOWN),
    ("dynamo-02325", "refused:repeated_member", TWICE),
    ("dynamo-02327", "other-values", "JSON that a schema of text or containers takes is JSON"),
    ("dynamo-02342", "other-values", "JSON that a schema of text or containers takes is JSON"),
    ("dynamo-02397", "refused:malformed", "the caller names the mark before each tag"),
    ("dynamo-02402", "refused:repeated_member", TWICE),
    ("dynamo-02416", "other-values", "the head of a declared argument is no text"),
    ("dynamo-02425", "other-values", "a word that is no boolean is not `false`"),
    ("dynamo-02432", "refused:mark_left", NAMELESS),
];

const BESIDE_PROSE: &str = "a bare call beside prose may be data (SPEC L0a)";
const NAMELESS: &str = "a call without a name that can be read, alone or beside others, is not left out (SPEC L0a)";
const TEXT_FIRST: &str = "text that a schema of text or booleans takes stays text";
const TWICE: &str = "an argument is given twice";
const UNESCAPED: &str = "where a value ends whose quotes are not escaped is a guess";
const UNKNOWN: &str = "what a reference to nothing takes is not known";
const VANISHES: &str = "a part of the arguments would be left out (SPEC L0a)";
