//! An answer in one envelope, `{"result": {…}}`: the cast `envelope` takes it off.

use jsonseam_keyset::members;
use jsonseam_schema::CastKind;

use crate::contract::Contract;
use crate::rename::may_stand;

/// The name of the envelope and the object in it, if the outermost object of `text` can be nothing but one.
///
/// An envelope is an object with one member, whose value is an object that holds a declared name, under a key that no part of the contract declares.
/// Whether the object in it fits, and the text as it is does not, the caller has to see.
pub(crate) fn opened<'t>(contract: &Contract, text: &'t str) -> Option<(String, &'t str)> {
    if !contract.casts.has(CastKind::Envelope) {
        return None;
    }
    let mut all = members(text);
    let only = all.next().filter(|_| all.next().is_none())?;
    let inner = text.get(only.value.clone()).filter(|value| value.starts_with('{'))?;
    let name = only.name(text);
    let name = name.as_str().filter(|name| !is_declared(contract, name))?;
    let mut keys = members(inner).map(|member| member.name(inner).to_text());
    keys.any(|key| is_declared(contract, &key)).then(|| (name.to_owned(), inner))
}

/// Whether a part of the contract declares this name, or may take it for one that it declares.
fn is_declared(contract: &Contract, name: &str) -> bool {
    contract.position(name).is_some()
        || may_stand(contract, name)
        || contract.whole.as_ref().is_some_and(|schema| schema.declares(name))
}
