//! JSON Schema checks that are offline and bounded, with errors a model can act on.
