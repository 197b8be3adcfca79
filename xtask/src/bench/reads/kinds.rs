//! The kinds of text whose reads are counted.

use jsonseam_testkit::workloads::{Single, singles, with_defects};

/// The sizes: the name, about how many bytes, and how many documents.
pub(super) const SIZES: [(&str, usize, u64); 2] = [("2 KB", 2_000, 12), ("100 KB", 100_000, 2)];

/// One kind.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// The smallest preset that repairs it.
    pub(super) preset: &'static str,
    /// What each text must come to: `valid`, `repaired`, `truncated` if it is repaired and marked as that, or `refused` and its reason.
    pub(super) outcome: &'static str,
    /// At most so many reads of each byte, in hundredths, without the judge.
    pub(super) goal: Option<u64>,
    pub(super) texts: fn(&Source) -> Vec<Text>,
}

/// A text, and what it should become, if it is not refused.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) truth: Option<String>,
}

/// What the texts of all kinds are made of: one document and its twins with one defect each.
pub(super) struct Source {
    bytes: usize,
    seed: u64,
    singles: Vec<Single>,
    valid: String,
}

/// How many defects a text with many has.
const MANY: usize = 40;

/// What is valid, or has a valid payload, needs one reading; one defect needs two.
pub(super) const KINDS: &[Kind] = &[
    Kind::valid("valid", |source| source.within("", "")).with_goal(100),
    Kind::valid("fence", |source| source.with("fence")).with_goal(100),
    Kind::valid("prose", |source| source.with("prose")),
    Kind::valid("fence-after-braces", |source| source.within("Replace {name} as needed:\n\n```json\n", "\n```")),
    Kind::repaired("trailing-comma", "strict", |source| source.with("trailing-comma")).with_goal(200),
    Kind::repaired("trailing-comma-in-fence", "strict", Source::fenced),
    Kind::repaired("missing-comma", "standard", |source| source.with("missing-comma")).with_goal(200),
    Kind::repaired("raw-newline", "standard", |source| source.with("raw-newline")).with_goal(200),
    Kind::repaired("false-escape", "standard", |source| source.with("false-escape")).with_goal(200),
    Kind::repaired("python-literal", "standard", |source| source.with("python-literal")).with_goal(200),
    Kind::repaired("inner-quotes", "lenient", |source| source.with("inner-quotes")).with_goal(200),
    Kind::truncated("last-brace", |source| source.with("last-brace")).with_goal(200),
    Kind::repaired("python-literals", "standard", Source::python),
    Kind::repaired("many-defects", "standard", Source::broken),
    Kind::truncated("truncated-string", Source::cut_in_string),
    Kind { outcome: "refused truncated", ..Kind::truncated("truncated-after-colon", Source::cut_after_colon) },
];

impl Kind {
    const fn valid(name: &'static str, texts: fn(&Source) -> Vec<Text>) -> Self {
        Self { name, preset: "strict", outcome: "valid", goal: None, texts }
    }

    const fn repaired(name: &'static str, preset: &'static str, texts: fn(&Source) -> Vec<Text>) -> Self {
        Self { name, preset, outcome: "repaired", goal: None, texts }
    }

    const fn truncated(name: &'static str, texts: fn(&Source) -> Vec<Text>) -> Self {
        Self { outcome: "truncated", ..Self::repaired(name, "standard", texts) }
    }

    /// The same with a goal, in hundredths.
    const fn with_goal(self, goal: u64) -> Self {
        Self { goal: Some(goal), ..self }
    }
}

impl Text {
    fn new(text: String, truth: &str) -> Self {
        Self { text, truth: Some(truth.to_owned()) }
    }
}

impl Source {
    pub(super) fn new(bytes: usize, seed: u64) -> Self {
        let singles = singles(bytes, seed);
        let valid = singles.iter().find(|single| single.defect == "fence").map(|single| single.valid.clone());
        Self { bytes, seed, valid: valid.unwrap_or_default(), singles }
    }

    /// The document with this defect, at each place that it can have.
    fn with(&self, defect: &str) -> Vec<Text> {
        let of_kind = self.singles.iter().filter(|single| single.defect == defect);
        of_kind.map(|single| Text::new(single.text.clone(), &single.truth)).collect()
    }

    /// The document between these texts.
    fn within(&self, before: &str, after: &str) -> Vec<Text> {
        vec![Text::new(format!("{before}{}{after}", self.valid), &self.valid)]
    }

    /// A trailing comma in a fence.
    fn fenced(&self) -> Vec<Text> {
        let mut texts = self.with("trailing-comma");
        for text in &mut texts {
            text.text = format!("```json\n{}\n```", text.text);
        }
        texts
    }

    /// The document up to the value of a reply and so much of it: of an early one, one in the middle and a late one.
    fn up_to(&self, value: &str) -> impl Iterator<Item = &str> {
        const KEY: &str = "\"reply\": ";
        let ends: Vec<_> = self.valid.match_indices(KEY).map(|(at, _)| at + KEY.len() + value.len()).collect();
        let places = [0, ends.len() / 2, ends.len().saturating_sub(1)];
        places.into_iter().filter_map(move |place| self.valid.get(..*ends.get(place)?))
    }

    fn cut_after_colon(&self) -> Vec<Text> {
        self.up_to("").map(|text| Text { text: text.to_owned(), truth: None }).collect()
    }

    /// In the first word of the string, and with the closers that are missing in the truth.
    fn cut_in_string(&self) -> Vec<Text> {
        self.up_to("\"wor").map(|text| Text::new(text.to_owned(), &format!("{text}\"}}]}}"))).collect()
    }

    /// Every literal as Python spells it.
    fn python(&self) -> Vec<Text> {
        let spellings = [(": null", ": None"), (": true", ": True"), (": false", ": False")];
        let text = spellings.iter().fold(self.valid.clone(), |text, (json, python)| text.replace(json, python));
        vec![Text::new(text, &self.valid)]
    }

    /// Many defects of eight kinds.
    fn broken(&self) -> Vec<Text> {
        let sample = with_defects(self.bytes, MANY, self.seed);
        sample.map(|sample| Text::new(sample.text, &sample.truth)).into_iter().collect()
    }
}
