//! A client for servers that speak the chat completions of `OpenAI`, as a [`Model`](crate::Model) (feature `http`).
//!
//! Boundary: what a server sends is hostile until it is read here, into text, a finish reason, counts and calls, all of bounded size.
//! The key leaves this folder in one header, and nowhere else.

mod answer;
mod body;
mod builder;
mod client;
mod key;
mod stream;
#[cfg(test)]
mod tests;
mod wait;

pub use builder::{HttpError, HttpModelBuilder};
pub use client::{HttpModel, StrictSchemas};
pub use key::ApiKey;
