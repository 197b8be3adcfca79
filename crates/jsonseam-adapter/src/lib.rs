//! Declared outputs: repair, decode, key set and schema tied together.
