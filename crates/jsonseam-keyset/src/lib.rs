//! Exact key sets: which declared keys of an object are missing, which are extra, which are repeated.
