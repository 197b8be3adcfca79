//! Declaring a contract.

use std::any::Any;
use std::sync::Arc;

use jsonseam_core::{Catalogue, Config, ConfigError, NamedPreset, Policy, Root, Thresholds};
use jsonseam_keyset::KeySet;
use jsonseam_schema::{CastKind, Casts, Draft as SchemaDraft, Schema, SchemaError, SchemaOptions};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::adapter::Adapter;
use crate::contract::{Contract, Output};
use crate::duplicates::Duplicates;
use crate::error::Error;
use crate::evidence;
use crate::heads;
use crate::items::{Incomplete, Items};
use crate::objection::{Objection, Validator};
use crate::outputs::Outputs;
use crate::reason::ContractMistake;
use crate::typed::{Decode, declared_keys, decode_any};

/// The presets when there is no catalogue: `strict` is there, and has no rule.
const NO_RULES: &[NamedPreset<'_>] = &[("strict", Thresholds::new(50, 200), &[])];

/// Declares outputs and policies, and builds an [`Adapter`].
///
/// Nothing is compiled or checked before [`build`](Self::build), so the order of the calls is free;
/// the order in which outputs are first named is the declared order.
///
/// ```
/// use jsonseam_adapter::{Adapter, Duplicates, JsonSchema};
///
/// #[derive(serde::Deserialize, JsonSchema)]
/// struct Item {
///     sku: String,
///     quantity: u32,
/// }
///
/// let adapter = Adapter::builder()
///     .field_type::<Vec<Item>>("items")
///     .optional("note")
///     .duplicates(Duplicates::Last)
///     .build()?;
/// let outputs = adapter.parse(r#"{"items": [{"sku": "A-1", "quantity": 2}]}"#)?;
///
/// let items: &Vec<Item> = outputs.typed("items").expect("it was declared with this type");
/// assert_eq!((items[0].sku.as_str(), items[0].quantity), ("A-1", 2));
/// # Ok::<(), jsonseam_adapter::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct AdapterBuilder {
    outputs: Vec<Draft>,
    whole: Option<Source>,
    catalogue: Option<Result<Catalogue, ConfigError>>,
    config: Config,
    preset: Option<String>,
    root: Option<Root>,
    policy: Option<Policy>,
    duplicates: Duplicates,
    casts: Casts,
    schemas: SchemaOptions,
    validators: Vec<Validator>,
    /// Names, each with the output or property that it stands for.
    aliases: Vec<(Box<str>, Box<str>)>,
    incomplete: Incomplete,
    items: Items,
    mistake: Option<ContractMistake>,
}

/// An output before its schema is compiled.
#[derive(Debug)]
struct Draft {
    name: String,
    is_optional: bool,
    source: Option<Source>,
    decode: Option<Decode>,
    #[cfg(feature = "stream")]
    when: crate::when::When,
}

/// Where a schema comes from.
#[derive(Debug, Clone)]
enum Source {
    Text(String),
    /// A text, and the name of the file that it was read from.
    File(String, String),
    Compiled(Schema),
    Type(fn(&SchemaOptions) -> Result<Schema, SchemaError>),
}

impl Source {
    fn compile(self, options: &SchemaOptions, field: Option<&str>) -> Result<Schema, Error> {
        let schema = match self {
            Self::Text(text) => options.compile(&text),
            Self::File(text, file) => options.compile(&text).map_err(|error| error.in_file(&file)),
            Self::Compiled(schema) => Ok(schema),
            Self::Type(schema) => schema(options),
        };
        schema.map_err(|error| Error::schema(error, field))
    }
}

impl AdapterBuilder {
    pub(crate) fn new() -> Self {
        Self {
            outputs: Vec::new(),
            whole: None,
            catalogue: None,
            config: Config::default(),
            preset: None,
            root: None,
            policy: None,
            duplicates: Duplicates::default(),
            casts: Casts::NONE,
            schemas: Schema::options(),
            validators: Vec::new(),
            aliases: Vec::new(),
            incomplete: Incomplete::default(),
            items: Items::default(),
            mistake: None,
        }
    }

    /// Declares an output that must be there.
    pub fn output(mut self, name: &str) -> Self {
        self.draft(name).is_optional = false;
        self
    }

    /// Declares several outputs that must be there.
    pub fn outputs<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Self {
        names.into_iter().fold(self, Self::output)
    }

    /// Declares an output that may be absent, or makes a declared one optional.
    pub fn optional(mut self, name: &str) -> Self {
        self.draft(name).is_optional = true;
        self
    }

    /// Gives an output a JSON Schema, as text. An output that is not declared yet becomes a required one.
    pub fn schema(self, name: &str, schema: &str) -> Self {
        self.field(name, Source::Text(schema.to_owned()), None)
    }

    /// Gives an output a JSON Schema that was read from a file, whose name errors then carry. Nothing is opened.
    pub fn schema_from(self, name: &str, schema: &str, file: &str) -> Self {
        self.field(name, Source::File(schema.to_owned(), file.to_owned()), None)
    }

    /// Gives an output a schema that is compiled already.
    pub fn compiled_schema(self, name: &str, schema: &Schema) -> Self {
        self.field(name, Source::Compiled(schema.clone()), None)
    }

    /// Gives an output a Rust type: it must fit the type's schema, and [`Outputs::typed`](crate::Outputs::typed) gives it as that type.
    pub fn field_type<T>(self, name: &str) -> Self
    where
        T: DeserializeOwned + JsonSchema + Any + Send + Sync,
    {
        self.field(name, Source::Type(SchemaOptions::of::<T>), Some(decode_any::<T>))
    }

    /// Gives the whole value a JSON Schema, as text.
    pub fn whole_schema(mut self, schema: &str) -> Self {
        self.set_whole(Source::Text(schema.to_owned()));
        self
    }

    /// Gives the whole value a JSON Schema that was read from a file, whose name errors then carry. Nothing is opened.
    pub fn whole_schema_from(mut self, schema: &str, file: &str) -> Self {
        self.set_whole(Source::File(schema.to_owned(), file.to_owned()));
        self
    }

    /// The draft of schemas whose `$schema` is missing or unknown; see [`SchemaOptions::draft`].
    pub fn schema_draft(mut self, draft: SchemaDraft) -> Self {
        self.schemas = self.schemas.draft(draft);
        self
    }

    /// Whether `format` is an assertion in schemas that are given as text or by type; see [`SchemaOptions::formats`]. Without this it is an annotation.
    ///
    /// ```
    /// use jsonseam_adapter::Adapter;
    ///
    /// let date = r#"{"type": "string", "format": "date"}"#;
    /// let adapter = Adapter::builder().schema("due", date).formats(true).build()?;
    /// let error = adapter.parse(r#"{"due": "tomorrow"}"#).unwrap_err();
    /// assert_eq!(error.violations()[0].message(), r#"Field "due": Value is not a date such as 2026-11-22 (format date)"#);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn formats(mut self, asserts: bool) -> Self {
        self.schemas = self.schemas.formats(asserts);
        self
    }

    /// Derives the contract from a Rust type: its schema for the whole, its fields as outputs, its kind as the root.
    ///
    /// The fields become outputs if the schema says what they are by `properties` alone; else, as for an enum, the schema decides on keys.
    /// Either way no other key is taken, unless the type itself leaves them open, as a map does.
    /// [`Outputs::whole`](crate::Outputs::whole) gives the value.
    pub fn whole_type<T: JsonSchema>(mut self) -> Self {
        self.set_whole(Source::Type(SchemaOptions::exact::<T>));
        match Schema::of::<T>() {
            Ok(schema) => {
                let source = schema.source();
                self.root = Some(match source.get("type").and_then(serde_json::Value::as_str) {
                    Some("object") => Root::Object,
                    Some("array") => Root::Array,
                    _ => Root::Any,
                });
                for (name, is_required) in declared_keys(source).into_iter().flatten() {
                    self.draft(name).is_optional = !is_required;
                }
                self
            }
            // `build` compiles it again and reports the error.
            Err(_) => self,
        }
    }

    /// The rules that configuration can name: `.catalogue(jsonseam::catalogue)`.
    pub fn catalogue(mut self, load: impl FnOnce() -> Result<Catalogue, ConfigError>) -> Self {
        self.catalogue = Some(load());
        self
    }

    /// Which preset of the catalogue repairs: `strict` (the default), `standard` or `lenient`.
    pub fn preset(mut self, preset: &str) -> Self {
        self.preset = Some(preset.to_owned());
        self
    }

    /// The configuration of the engine. What other methods set goes before it.
    pub fn config(mut self, config: &Config) -> Self {
        self.config = config.clone();
        self
    }

    /// What the outermost value must be. Outputs can be declared of an object only, which is the default.
    pub fn root(mut self, root: Root) -> Self {
        self.root = Some(root);
        self
    }

    /// Which payload is taken when the completion holds several (SPEC B4). Without this, and unless the configuration names a policy,
    /// it is [`Policy::Best`]: the contract itself is the first judge.
    pub fn candidates(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Takes results that were cut off: an answer that a rule closed at its end, or whose finish reason says so (SPEC B3).
    ///
    /// Without this they are refused as `truncated`. Never allow it where an output causes something to be done.
    /// [`incomplete`](Self::incomplete) has more to choose from; the last call counts.
    pub fn allow_truncated(self, allows: bool) -> Self {
        self.incomplete(if allows { Incomplete::Keep } else { Incomplete::Refuse })
    }

    /// What is done with answers that were cut off (SPEC B3). Without this they are refused as `truncated`.
    ///
    /// With [`Incomplete::Drop`] only whole elements of the array at the cut stay. The result is marked as truncated all the same, and
    /// [`Outputs::dropped`](crate::Outputs::dropped) has the element. In every preset the rules `cut-member`, `cut-escape`, `unclosed-string` and
    /// `unclosed-container` are on then, unless the configuration gives an `order`, disables one or caps the risk: what they lose is in the element.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, Incomplete};
    ///
    /// let adapter = Adapter::builder().output("rows").incomplete(Incomplete::Drop).build()?;
    /// assert_eq!(adapter.contract().incomplete(), Incomplete::Drop);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn incomplete(mut self, policy: Incomplete) -> Self {
        self.incomplete = policy;
        self
    }

    /// What is done with items of an array that do not fit, where the array is an output or the whole. Without this the answer is refused.
    ///
    /// With [`Items::Fitting`] those that fit are given, in their order, and [`Outputs::dropped`](crate::Outputs::dropped) reports the others.
    /// What the schema says of the array itself (`minItems`) must hold for those that are left.
    pub fn items(mut self, policy: Items) -> Self {
        self.items = policy;
        self
    }

    /// What is done with repeated keys. Without this they are refused.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }

    /// Whether absent properties get the `default` that a schema states. Each is recorded in [`Outputs::casts`](crate::Outputs::casts).
    ///
    /// Required outputs must be there all the same: keys are checked before fields (SPEC K5).
    pub fn defaults(mut self, fills: bool) -> Self {
        self.casts = if fills { self.casts.and(Casts::DEFAULTS) } else { self.casts.without(CastKind::Default) };
        self
    }

    /// Whether a value that a schema rejects may be spelled as the kind it wants, where that loses nothing: `"42"` as `42` ([`Casts::COERCE`]).
    /// Each is recorded in [`Outputs::casts`](crate::Outputs::casts).
    pub fn coerce(self, casts: bool) -> Self {
        let defaults = self.casts.has(CastKind::Default);
        self.casts(if casts { Casts::COERCE } else { Casts::NONE }).defaults(defaults)
    }

    /// Exactly these casts may be made, each named and recorded. Without this, [`coerce`](Self::coerce) and [`defaults`](Self::defaults) there is none.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, CastKind, Casts};
    ///
    /// let adapter = Adapter::builder()
    ///     .schema("unitPrice", r#"{"type": "number"}"#)
    ///     .casts(Casts::NONE.with(CastKind::Currency).with(CastKind::KeyCase))
    ///     .build()?;
    /// let outputs = adapter.parse(r#"{"unit_price": "$9.50"}"#)?;
    /// assert_eq!(outputs.text("unitPrice"), Some("9.50"));
    /// assert_eq!(outputs.casts().iter().map(|cast| cast.kind().name()).collect::<Vec<_>>(), ["key-case", "currency"]);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn casts(mut self, casts: Casts) -> Self {
        self.casts = casts;
        self
    }

    /// Takes the key `alias` for the output or property `field`, as `#[serde(alias)]` would: the schema of a type does not show its aliases.
    ///
    /// It holds for an output and for every object of a schema that declares `field` and not `alias`, if only one of them is there. Each use is recorded.
    pub fn alias(mut self, field: &str, alias: &str) -> Self {
        self.schemas = self.schemas.alias(field, alias);
        self.aliases.push((alias.into(), field.into()));
        self
    }

    /// Judges the outputs in code once they fit their schemas; may be called several times, and each validator is asked.
    ///
    /// An objection is the error `output_validation_failed` with a violation of the keyword `validator`.
    /// Its message goes into a prompt that asks the model again, and nowhere else:
    /// [`Violation::llm_message`](crate::Violation::llm_message) has it, records and logs do not. It should say what to do, and not quote the answer.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, Objection};
    ///
    /// let adapter = Adapter::builder()
    ///     .outputs(["from", "to"])
    ///     .validator(|outputs| match outputs.get::<u32>("from")? <= outputs.get::<u32>("to")? {
    ///         true => Ok(()),
    ///         false => Err(Objection::of("to", "must not be before \"from\"")),
    ///     })
    ///     .build()?;
    /// let error = adapter.parse(r#"{"from": 7, "to": 3}"#).unwrap_err();
    /// assert_eq!((error.code().as_str(), error.field()), ("output_validation_failed", Some("to")));
    /// assert_eq!(error.llm_message(), r#"Field "to": must not be before "from""#);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn validator(mut self, judge: impl Fn(&Outputs) -> Result<(), Objection> + Send + Sync + 'static) -> Self {
        self.validators.push(Validator::new(judge));
        self
    }

    /// What a stream tells of an output before the end: without this, the field once it is whole. An output that is not declared yet becomes a required one.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, FieldEvent, StreamOptions, When};
    ///
    /// let adapter = Adapter::builder().output("title").streamed("answer", When::State).build()?;
    /// let mut stream = adapter.stream(StreamOptions::new());
    /// let shown: String = ["{\"title\": \"Ab\", \"answer\": \"On", " it", ".\"}"]
    ///     .into_iter()
    ///     .flat_map(|piece| stream.push(piece).collect::<Vec<_>>())
    ///     .filter_map(|event| if let FieldEvent::Text { text, .. } = event { Some(text) } else { None })
    ///     .collect();
    /// assert_eq!(shown, "On it.");
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    #[cfg(feature = "stream")]
    pub fn streamed(mut self, name: &str, when: crate::when::When) -> Self {
        self.draft(name).when = when;
        self
    }

    /// Compiles the contract and the pipeline.
    ///
    /// The error says which schema was refused (`schema_refused`), what is wrong with the configuration (`config`),
    /// or what contradicts itself (`contract_refused`).
    pub fn build(self) -> Result<Adapter, Error> {
        if let Some(mistake) = self.mistake {
            return Err(mistake.into());
        }
        #[cfg(feature = "stream")]
        let names_policy = self.policy.is_some() || self.config.names_policy();
        let config = engine(self.config, self.preset.as_deref(), self.root, self.policy);
        let root = config.root();
        if !self.outputs.is_empty() && root != Root::Object {
            return Err(ContractMistake::OutputsNeedObjectRoot.into());
        }
        let whole = self.whole.map(|source| source.compile(&self.schemas, None)).transpose()?;
        let mut keys = KeySet::new();
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for draft in self.outputs {
            keys = if draft.is_optional { keys.optional(&draft.name) } else { keys.required(&draft.name) };
            let schema = draft.source.map(|source| source.compile(&self.schemas, Some(&draft.name))).transpose()?;
            outputs.push(Output {
                name: draft.name.into(),
                is_optional: draft.is_optional,
                schema,
                decode: draft.decode,
                #[cfg(feature = "stream")]
                when: draft.when,
            });
        }
        let checks_keys = !outputs.is_empty();
        let evidence = evidence::of(&outputs, whole.as_ref(), self.casts, &self.aliases);
        let declares_calls = heads::declares_calls(&outputs, whole.as_ref().map(Schema::source));
        let contract = Contract {
            keys: if checks_keys { keys } else { keys.open() },
            outputs,
            whole,
            root,
            duplicates: self.duplicates,
            casts: self.casts,
            aliases: self.aliases,
            incomplete: self.incomplete,
            items: self.items,
            evidence,
            declares_calls,
        };
        let catalogue = self.catalogue.unwrap_or_else(|| Catalogue::new(Vec::new(), NO_RULES))?;
        let pipeline = self.incomplete.pipeline(&config, &catalogue)?;
        Ok(Adapter {
            contract: Arc::new(contract),
            validators: self.validators.into(),
            pipeline,
            policy: config.policy(),
            #[cfg(feature = "stream")]
            names_policy,
        })
    }

    /// The draft of an output, made if need be.
    fn draft(&mut self, name: &str) -> &mut Draft {
        let index = self.outputs.iter().position(|draft| draft.name == name).unwrap_or(self.outputs.len());
        if index == self.outputs.len() {
            self.outputs.push(Draft {
                name: name.to_owned(),
                is_optional: false,
                source: None,
                decode: None,
                #[cfg(feature = "stream")]
                when: crate::when::When::default(),
            });
        }
        &mut self.outputs[index]
    }

    fn field(mut self, name: &str, source: Source, decode: Option<Decode>) -> Self {
        let draft = self.draft(name);
        if draft.source.is_some() {
            self.mistake = self.mistake.or(Some(ContractMistake::TwoSchemas));
            return self;
        }
        draft.source = Some(source);
        draft.decode = decode;
        self
    }

    fn set_whole(&mut self, source: Source) {
        if self.whole.replace(source).is_some() {
            self.mistake.get_or_insert(ContractMistake::TwoSchemas);
        }
    }
}

/// The configuration, with what was set beside it.
fn engine(mut config: Config, preset: Option<&str>, root: Option<Root>, policy: Option<Policy>) -> Config {
    if let Some(preset) = preset {
        config = config.with_preset(preset);
    }
    if let Some(root) = root {
        config = config.with_root(root);
    }
    match policy {
        Some(policy) => config.with_policy(policy),
        None if config.names_policy() => config,
        None => config.with_policy(Policy::Best),
    }
}
