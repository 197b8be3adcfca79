//! From a completion to a Rust type in one call.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use jsonseam_adapter::{Adapter, AdapterBuilder, Error, JsonSchema};
use jsonseam_core::{Policy, compact};
use serde::de::DeserializeOwned;

/// The adapters of the types that were asked for: a contract is compiled once, not with each call.
/// There are no more of them than types in the program.
static ADAPTERS: LazyLock<RwLock<HashMap<TypeId, Adapter>>> = LazyLock::new(RwLock::default);

/// Finds the value in `completion`, repairs it with the preset `strict` if it has to, and decodes it as `T`.
///
/// The contract is derived from `T`: its schema must fit, its fields and no others must be there, unlike serde, which ignores others,
/// and the outermost value is of its kind. Where two payloads of the completion fit and say different things, neither is taken:
/// the reason is [`ambiguous_payload`](jsonseam_core::Reason::AmbiguousPayload).
///
/// For other presets or policies declare it by hand: [`adapter`](crate::adapter) and
/// [`whole_type`](crate::AdapterBuilder::whole_type).
///
/// ```
/// use schemars::JsonSchema;
///
/// #[derive(serde::Deserialize, JsonSchema)]
/// struct Order {
///     id: u32,
///     items: Vec<String>,
/// }
///
/// let order: Order = jsonseam::from_str("Here you are: {\"id\": 7, \"items\": [\"cable\",]}")?;
/// assert_eq!((order.id, order.items.len()), (7, 1));
///
/// let error = jsonseam::from_str::<Order>("{\"id\": \"7\", \"items\": []}").err().expect("7 is no string");
/// assert_eq!((error.code().as_str(), error.field()), ("output_validation_failed", Some("id")));
///
/// let error = jsonseam::from_str::<Order>("{\"id\": 7, \"items\": []} or {\"id\": 8, \"items\": []}").err().expect("which?");
/// assert_eq!(error.reason().as_str(), "ambiguous_payload");
/// # Ok::<(), jsonseam::ContractError>(())
/// ```
pub fn from_str<T: DeserializeOwned + JsonSchema + 'static>(completion: &str) -> Result<T, Error> {
    let adapter = adapter_of::<T>()?;
    the_only(&adapter, completion, || crate::adapter().whole_type::<T>())
}

/// Like [`from_str`], with the preset, limits and rules of a configuration.
///
/// The contract is compiled for each call; for many completions build an [`adapter`](crate::adapter) with
/// [`whole_type`](crate::AdapterBuilder::whole_type) once.
///
/// ```
/// let config = jsonseam::Config::default().with_preset("standard");
///
/// let tags: Vec<String> = jsonseam::from_str_with("Tags: ['a', \"b\"", &config).unwrap_or_default();
/// assert!(tags.is_empty(), "a list that is cut off is refused");
/// let tags: Vec<String> = jsonseam::from_str_with("['a', `b`]", &config)?;
/// assert_eq!(tags, ["a", "b"]);
/// # Ok::<(), jsonseam::ContractError>(())
/// ```
pub fn from_str_with<T: DeserializeOwned + JsonSchema + 'static>(
    completion: &str,
    config: &jsonseam_core::Config,
) -> Result<T, Error> {
    let builder = || crate::adapter().config(config).whole_type::<T>();
    let adapter = builder().build()?;
    // Who names a policy has decided.
    if config.names_policy() { adapter.parse(completion)?.decode() } else { the_only(&adapter, completion, builder) }
}

/// The value of the completion, unless another payload of it fits too and has another value.
fn the_only<T: DeserializeOwned>(
    adapter: &Adapter,
    completion: &str,
    builder: impl FnOnce() -> AdapterBuilder,
) -> Result<T, Error> {
    let outputs = adapter.parse(completion)?;
    let value = compact(&outputs.to_json());
    let is_rival = |text: &str| adapter.parse(text).is_ok_and(|rival| compact(&rival.to_json()) != value);
    let further = outputs.repair().further();
    if further.iter().any(|other| completion.get(other.span.clone()).is_some_and(is_rival)) {
        // The policy that refuses several payloads says where they are.
        builder().candidates(Policy::Only).build()?.parse(completion)?;
    }
    outputs.decode()
}

fn adapter_of<T: JsonSchema + 'static>() -> Result<Adapter, Error> {
    let id = TypeId::of::<T>();
    if let Some(adapter) = ADAPTERS.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        return Ok(adapter.clone());
    }
    let adapter = crate::adapter().whole_type::<T>().build()?;
    ADAPTERS.write().unwrap_or_else(PoisonError::into_inner).insert(id, adapter.clone());
    Ok(adapter)
}
