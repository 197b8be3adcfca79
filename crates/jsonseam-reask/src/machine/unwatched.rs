//! Without the feature `stream` no answer is seen before its end.
#![expect(clippy::unused_self, reason = "the other module of this name needs it")]

use std::borrow::Cow;

use jsonseam_adapter::{Error, Outputs};

use super::{Flight, Machine};
use crate::message::Response;

impl Machine {
    pub(super) fn begin_watch(&mut self, _: &Flight) {}

    pub(super) fn given_up<'r>(&self, _: &'r Response) -> Option<(Cow<'r, str>, Error)> {
        None
    }

    pub(super) fn watch_rest(&mut self, _: &Response) {}

    pub(super) fn end_watch(&mut self, _: &Response, _: &Outputs) {}

    pub(super) fn give_up_watch(&mut self, _: u32, _: &[String], _: bool) {}
}
