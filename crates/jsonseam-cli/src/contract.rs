//! From contract flags and files to an adapter.

mod file;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::{Adapter, AdapterBuilder, Config, ContractError, Limit, Outputs, ParseOptions};

use crate::arguments::ContractFlags;
use crate::escape::escaped;
use file::{Declared, SchemaSource};

/// Longest schema or contract file. Far above what a schema may be; it keeps `--schema /dev/zero` from filling the memory.
const MAX_FILE_BYTES: u64 = 4 << 20;

impl ContractFlags {
    /// Whether any of the flags is there, so that there is a contract at all.
    pub(crate) fn is_given(&self) -> bool {
        let lists = [&self.keys, &self.key, &self.optional, &self.schema_for];
        lists.iter().any(|list| !list.is_empty())
            || self.schema.is_some()
            || self.contract.is_some()
            || self.duplicates.is_some()
            || self.defaults
            || self.coerce
            || self.allow_truncated
    }

    /// The adapter of these flags over this configuration.
    ///
    /// What cannot be read or understood is an error; what is no contract, such as a schema that is refused, is told by the adapter's own.
    pub(crate) fn adapter(&self, config: &Config) -> anyhow::Result<Result<Adapter, ContractError>> {
        let mut builder = jsonseam::adapter()
            .config(config)
            .defaults(self.defaults)
            .coerce(self.coerce)
            .duplicates(self.duplicates.unwrap_or_default())
            .allow_truncated(self.allow_truncated);
        if let Some(path) = &self.contract {
            builder = declare_file(builder, path)?;
        }
        if self.keys.iter().any(String::is_empty) {
            bail!("--keys holds an empty name; --key takes a name of any kind");
        }
        builder = builder.outputs(self.keys.iter().chain(&self.key).map(String::as_str));
        for assignment in &self.schema_for {
            let Some((name, path)) = assignment.split_once('=') else {
                bail!("--schema-for takes NAME=FILE");
            };
            builder = builder.schema(name, &read(Path::new(path), "the schema")?);
        }
        builder = self.optional.iter().fold(builder, |builder, name| builder.optional(name));
        if let Some(path) = &self.schema {
            builder = builder.whole_schema(&read(path, "the schema")?);
        }
        Ok(builder.build())
    }
}

/// Declares what a contract file says. Paths in it start from the folder that it lies in.
fn declare_file(mut builder: AdapterBuilder, path: &Path) -> anyhow::Result<AdapterBuilder> {
    let text = read(path, "the contract")?;
    let contract = file::read(&text, &path.to_string_lossy())?;
    let beside = |file: &Path| path.parent().unwrap_or_else(|| Path::new("")).join(file);
    for Declared { name, is_optional, schema } in contract.outputs {
        builder = if is_optional { builder.optional(&name) } else { builder.output(&name) };
        builder = match schema {
            Some(SchemaSource::Text(schema)) => builder.schema(&name, &schema),
            Some(SchemaSource::File(file)) => builder.schema(&name, &read(&beside(&file), "the schema")?),
            None => builder,
        };
    }
    if let Some(file) = contract.schema_file {
        builder = builder.whole_schema(&read(&beside(&file), "the schema")?);
    }
    Ok(builder)
}

fn read(path: &Path, what: &str) -> anyhow::Result<String> {
    let name = path.to_string_lossy();
    let cannot = || format!("cannot read {what} {}", escaped(&name));
    let mut bytes = Vec::new();
    File::open(path).with_context(cannot)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!("{}: longer than {what} may be ({MAX_FILE_BYTES} bytes)", escaped(&name));
    }
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{}: not UTF-8", escaped(&name)))
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
