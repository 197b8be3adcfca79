//! What JSON is: the grammar of RFC 8259, the inner loops over bytes, the bounds and what is counted.

pub(crate) mod expected;
pub(crate) mod limits;
pub(crate) mod openers;
pub(crate) mod position;
pub(crate) mod recognise;
pub(crate) mod scan;
pub(crate) mod token;
pub(crate) mod wanted;
pub(crate) mod work;
