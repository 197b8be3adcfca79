//! From contract flags and files to an adapter.

mod file;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::contract::{Incomplete, When};
use jsonseam::{Adapter, AdapterBuilder, Config, ContractError, Limit, Outputs, ParseOptions};
use serde::Serialize;

use crate::arguments::ContractFlags;
use crate::console;
use crate::escape::escaped;
use file::{ContractFile, Declared, SchemaSource};

/// Longest schema or contract file. Far above what a schema may be; it keeps `--schema /dev/zero` from filling the memory.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// What is printed where a contract is not met, or refused.
#[derive(Serialize)]
pub(crate) struct Unmet<'e> {
    pub(crate) error: &'e ContractError,
}

impl ContractFlags {
    /// Whether any of the flags is there, so that there is a contract at all.
    pub(crate) fn is_given(&self) -> bool {
        let lists = [&self.keys, &self.key, &self.optional, &self.schema_for, &self.alias];
        lists.iter().any(|list| !list.is_empty())
            || self.schema.is_some()
            || self.contract.is_some()
            || self.duplicates.is_some()
            || self.defaults
            || self.formats
            || self.draft.is_some()
            || !self.coerce.is_empty()
            || self.allow_truncated
            || self.incomplete.is_some()
            || self.items.is_some()
    }

    /// The adapter, for a command whose result is one contract; `None` where it is refused, which is then that result and printed.
    pub(crate) fn adapter_or_report(&self, config: &Config) -> anyhow::Result<Option<Adapter>> {
        match self.adapter(config)? {
            Ok(adapter) => Ok(Some(adapter)),
            Err(error) => {
                console::emit_json(&Unmet { error: &error })?;
                console::note(&error);
                Ok(None)
            }
        }
    }

    /// The adapter of these flags over this configuration.
    ///
    /// What cannot be read or understood is an error; what is not a contract, such as a schema that is refused, is the adapter's own error.
    pub(crate) fn adapter(&self, config: &Config) -> anyhow::Result<Result<Adapter, ContractError>> {
        self.adapter_of(config, &mut Vec::new())
    }

    /// The same; the texts of all files that it is made of are added to `texts`.
    pub(crate) fn adapter_of(
        &self,
        config: &Config,
        texts: &mut Vec<String>,
    ) -> anyhow::Result<Result<Adapter, ContractError>> {
        let file = self.contract.as_deref().map(|path| contract_file(path, texts)).transpose()?.unwrap_or_default();
        if let Some(path) = self.contract.as_deref().filter(|_| file == ContractFile::default()) {
            console::warn(format_args!("{}: the contract declares nothing, so every answer meets it", path.display()));
        }
        // The flags add to what the file says; a draft of theirs wins.
        let mut builder = jsonseam::adapter()
            .config(config)
            .casts(self.coerce.iter().fold(file.casts, |all, casts| all.and(*casts)))
            .defaults(self.defaults)
            .duplicates(self.duplicates.unwrap_or_default())
            .incomplete(if self.allow_truncated {
                Incomplete::Keep
            } else {
                self.incomplete.unwrap_or(file.incomplete)
            })
            .items(self.items.unwrap_or(file.items))
            .formats(self.formats || file.formats);
        if let Some(draft) = self.draft.or(file.draft) {
            builder = builder.schema_draft(draft);
        }
        let declared: Vec<_> = file.outputs.iter().map(|output| output.name.clone()).collect();
        if let Some(path) = &self.contract {
            builder = declare_file(builder, file, path, texts)?;
        }
        let (keys, optional) = (listed("--keys", &self.keys)?, listed("--optional", &self.optional)?);
        builder = builder.outputs(keys.into_iter().chain(self.key.iter().map(String::as_str)));
        for assignment in &self.schema_for {
            let Some((name, path)) = assignment.split_once('=') else {
                bail!("--schema-for takes NAME=FILE");
            };
            if name.is_empty() || path.is_empty() {
                bail!("--schema-for takes NAME=FILE, and one of them is empty in `{}`", escaped(assignment));
            }
            builder = builder.schema_from(name, read(Path::new(path), "the schema", texts)?, path);
        }
        for assignment in &self.alias {
            let Some((name, alias)) = assignment.split_once('=') else { bail!("--alias takes NAME=ALIAS") };
            builder = builder.alias(name, alias);
        }
        builder = optional.iter().fold(builder, |builder, name| builder.optional(name));
        if let Some(path) = &self.schema {
            builder = builder.whole_schema_from(whole_schema(path, texts)?, &path.to_string_lossy());
        }
        // A command that follows a text shows every output as it comes.
        let given = self.schema_for.iter().filter_map(|assignment| assignment.split_once('=')).map(|(name, _)| name);
        let named = self.key.iter().map(String::as_str).chain(given).chain(optional);
        let all = named.chain(self.keys.iter().map(|name| name.trim())).chain(declared.iter().map(String::as_str));
        Ok(all.fold(builder, |builder, name| builder.streamed(name, When::State)).build())
    }
}

/// The names of a list by comma; a blank after a comma belongs to the list.
fn listed<'n>(flag: &str, names: &'n [String]) -> anyhow::Result<Vec<&'n str>> {
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    if names.contains(&"") {
        bail!("{flag} holds an empty name; --key takes a name of any kind");
    }
    Ok(names)
}

fn contract_file(path: &Path, texts: &mut Vec<String>) -> anyhow::Result<ContractFile> {
    file::read(read(path, "the contract", texts)?, &path.to_string_lossy())
}

/// Declares the outputs, schemas and aliases of the contract file at `path`. Paths in it start from the folder that it is in.
fn declare_file(
    mut builder: AdapterBuilder,
    contract: ContractFile,
    path: &Path,
    texts: &mut Vec<String>,
) -> anyhow::Result<AdapterBuilder> {
    let beside = |file: &Path| path.parent().unwrap_or_else(|| Path::new("")).join(file);
    for Declared { name, is_optional, schema } in contract.outputs {
        builder = if is_optional { builder.optional(&name) } else { builder.output(&name) };
        builder = match schema {
            Some(SchemaSource::Text(schema)) => builder.schema(&name, &schema),
            Some(SchemaSource::File(file)) => {
                let file = beside(&file);
                builder.schema_from(&name, read(&file, "the schema", texts)?, &file.to_string_lossy())
            }
            None => builder,
        };
    }
    if let Some(file) = contract.schema_file {
        let file = beside(&file);
        builder = builder.whole_schema_from(read(&file, "the schema", texts)?, &file.to_string_lossy());
    }
    Ok(contract.aliases.iter().fold(builder, |builder, (name, alias)| builder.alias(name, alias)))
}

/// The schema of `--schema`; who gave it a name looked for another flag.
fn whole_schema<'t>(path: &Path, texts: &'t mut Vec<String>) -> anyhow::Result<&'t str> {
    let name = path.to_string_lossy();
    if name.contains('=') && !path.exists() {
        bail!("--schema takes the FILE of the whole value's schema; for one output: --schema-for {}", escaped(&name));
    }
    read(path, "the schema", texts)
}

/// Reads a file, and adds its text to `texts`.
fn read<'t>(path: &Path, what: &str, texts: &'t mut Vec<String>) -> anyhow::Result<&'t str> {
    let name = path.to_string_lossy();
    let cannot = || format!("cannot read {what} {}", escaped(&name));
    let mut bytes = Vec::new();
    File::open(path).with_context(cannot)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!("{}: longer than {what} may be ({MAX_FILE_BYTES} bytes)", escaped(&name));
    }
    texts.push(String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{}: not UTF-8", escaped(&name)))?);
    Ok(texts.last().map_or("", String::as_str))
}

/// The outputs of bytes of which there may be more than the limit.
pub(crate) fn parse(adapter: &Adapter, bytes: &[u8], options: &ParseOptions) -> Result<Outputs, ContractError> {
    let is_too_long =
        |error: &ContractError| error.decode().and_then(jsonseam::Error::limit_met) == Some(Limit::InputBytes);
    match str::from_utf8(bytes) {
        // A character that is cut off at the end is ours if reading stopped there, and the text's own otherwise.
        Err(error) if error.error_len().is_none() => {
            let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
            match adapter.parse_bytes(whole, options) {
                Err(error) if is_too_long(&error) => Err(error),
                _ => adapter.parse_bytes(bytes, options),
            }
        }
        _ => adapter.parse_bytes(bytes, options),
    }
}
