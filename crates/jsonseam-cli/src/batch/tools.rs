//! The tools that each record offers.

use std::cell::RefCell;

use jsonseam::toolcall::Tools;

use super::bad::BadRecord;
use super::members::Record;
use super::pick::Pick;

/// Where the tools are, with those that were read last: records that follow each other mostly offer the same.
#[derive(Debug, Clone)]
pub(super) struct ToolsField {
    pick: Pick,
    latest: RefCell<Option<(String, Tools)>>,
}

impl ToolsField {
    /// The member that `field` names.
    pub(super) fn new(field: &str) -> anyhow::Result<Self> {
        Ok(Self { pick: Pick::member(field)?, latest: RefCell::new(None) })
    }

    /// The tools of a record. Of one without them, or with null in their place, no tools are known.
    pub(super) fn tools(&self, record: &Record<'_>) -> Result<Tools, BadRecord> {
        let Some(list) = self.pick.value(record).filter(|list| list.trim() != "null") else {
            return Ok(Tools::new());
        };
        if let Some((_, tools)) = self.latest.borrow().as_ref().filter(|(latest, _)| latest == list) {
            return Ok(tools.clone());
        }
        let value = serde_json::from_str(list).map_err(|_| BadRecord::BadTools)?;
        let tools = Tools::from_json(&value).map_err(|_| BadRecord::BadTools)?;
        *self.latest.borrow_mut() = Some((list.to_owned(), tools.clone()));
        Ok(tools)
    }
}
