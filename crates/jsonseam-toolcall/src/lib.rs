//! Tool calls out of the wrappers that models emit, as one envelope.
