//! From a completion to a Rust type in one call.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use jsonseam_adapter::{Adapter, Error, JsonSchema};
use serde::de::DeserializeOwned;

/// The adapters of the types that were asked for: a contract is compiled once, not with each call.
/// There are no more of them than types in the program.
static ADAPTERS: LazyLock<RwLock<HashMap<TypeId, Adapter>>> = LazyLock::new(RwLock::default);

/// Finds the value in `completion`, repairs it with the preset `strict` if it has to, and decodes it as `T`.
///
/// The contract is derived from `T`: its schema must fit, its fields and no others must be there, and the outermost value is of its kind.
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
/// # Ok::<(), jsonseam::ContractError>(())
/// ```
pub fn from_str<T: DeserializeOwned + JsonSchema + 'static>(completion: &str) -> Result<T, Error> {
    adapter_of::<T>()?.parse(completion)?.decode()
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
    crate::adapter().config(config).whole_type::<T>().build()?.parse(completion)?.decode()
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
