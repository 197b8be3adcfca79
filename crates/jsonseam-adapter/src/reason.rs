//! The reasons of the adapter's error: those of every crate that can refuse, by what they are about.

use std::fmt;

use jsonseam_keyset::KeyReason;
use jsonseam_schema::SchemaReason;
use jsonseam_text::named;
use serde::{Serialize, Serializer};

/// Why there are no outputs (SPEC E1): a type to match, with a stable name.
///
/// ```
/// use jsonseam_adapter::{Adapter, KeyReason, Reason};
///
/// let adapter = Adapter::builder().output("city").build()?;
/// let reason = adapter.parse("{}").unwrap_err().reason();
/// assert_eq!(reason, Reason::Keys(KeyReason::MissingOutputKeys));
/// assert_eq!(reason.as_str(), "missing_output_keys");
/// # Ok::<(), jsonseam_adapter::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The completion does not decode; the code is `output_decode_failed`.
    Decode(jsonseam_core::Reason),
    /// The keys are not the declared ones; the code is `invalid_outputs`.
    Keys(KeyReason),
    /// A value does not fit its schema, or a validator objects to it; the code is `output_validation_failed`.
    Schema,
    /// Whether a value fits could not be told within the budget; the code is `output_validation_failed`.
    ValidationBudget,
    /// A schema was refused when the contract was built; the code is `schema_refused`.
    SchemaRefused(SchemaReason),
    /// The configuration is mistaken; the code is `config`.
    Config,
    /// The contract contradicts itself; the code is `contract_refused`.
    Contract(ContractMistake),
}

impl Reason {
    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decode(reason) => reason.as_str(),
            Self::Keys(reason) => reason.as_str(),
            Self::Schema => "schema",
            Self::ValidationBudget => "validation_budget",
            Self::SchemaRefused(reason) => reason.as_str(),
            Self::Config => "config",
            Self::Contract(mistake) => mistake.as_str(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

named! {
    /// What contradicts itself in a contract.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ContractMistake as "a mistake in a contract" {
        /// Outputs are declared, but the root is not an object.
        OutputsNeedObjectRoot = "outputs_of_no_object",
        /// An output, or the whole, is given two schemas.
        TwoSchemas = "two_schemas",
    }
}

impl ContractMistake {
    pub(crate) const fn explained(self) -> &'static str {
        match self {
            Self::OutputsNeedObjectRoot => {
                "outputs are the members of an object, but the root is another kind of value"
            }
            Self::TwoSchemas => "one output, or the whole, is given two schemas",
        }
    }
}
