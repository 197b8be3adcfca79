//! Where every schema is: documents, the resources and anchors in them, and what a reference leads to.
//!
//! Nothing here reads a file or opens a connection:
//! the documents are the schema itself, what the caller registered and the meta-schemas that are compiled in (SPEC V3).

use std::collections::{BTreeMap, HashMap, HashSet};

use fluent_uri::{Uri, UriRef};
use jsonseam_text::pointer;
use serde_json::Value;

use crate::draft::{Draft, subschemas};
use crate::error::{SchemaError, SchemaReason};
use crate::meta::documents;

/// The address of a schema without an identifier of its own.
pub(crate) const DEFAULT_ADDRESS: &str = "json-schema:///";

/// A document, and the draft that it is read by.
struct Document<'a> {
    value: &'a Value,
}

/// A schema resource: a schema with an address, up to the next resource inside it.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(crate) address: String,
    pub(crate) place: Place,
    pub(crate) draft: Draft,
    /// Whether keywords of the validation vocabulary apply.
    pub(crate) validates: bool,
    /// Anchors that `$dynamicRef` may come out at; the empty name is `$recursiveAnchor: true`.
    pub(crate) dynamic: BTreeMap<String, Place>,
}

/// A place in a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) document: usize,
    pub(crate) pointer: String,
}

/// All that is known by address.
pub(crate) struct Index<'a> {
    documents: Vec<Document<'a>>,
    registered: HashMap<String, &'a Value>,
    resources: Vec<Resource>,
    by_address: HashMap<String, usize>,
    by_place: HashMap<Place, usize>,
    anchors: HashMap<(usize, String), Place>,
    asked: HashSet<String>,
    default_draft: Draft,
    /// The draft of schemas that name one which is not known, if the caller chose any.
    pub(crate) chosen_draft: Option<Draft>,
}

impl<'a> Index<'a> {
    /// An index of the documents that a caller registered, by address.
    pub(crate) fn new(registered: &[(String, &'a Value)], default_draft: Draft) -> Result<Self, SchemaError> {
        let mut index = Self {
            documents: Vec::new(),
            registered: registered.iter().cloned().collect(),
            resources: Vec::new(),
            by_address: HashMap::new(),
            by_place: HashMap::new(),
            anchors: HashMap::new(),
            asked: HashSet::new(),
            default_draft,
            chosen_draft: None,
        };
        for (address, value) in registered {
            // A registered document may be of a draft that we do not read, as long as nothing leads there.
            match index.add(address, value) {
                Err(error) if error.reason() != SchemaReason::UnsupportedDraft => return Err(error),
                _ => {}
            }
        }
        Ok(index)
    }

    /// Adds a document, and returns the number of its outermost resource.
    pub(crate) fn add(&mut self, address: &str, value: &'a Value) -> Result<usize, SchemaError> {
        let (draft, validates) = self.dialect(value)?.unwrap_or((self.default_draft, true));
        let document = self.documents.len();
        self.documents.push(Document { value });
        let place = Place { document, pointer: String::new() };
        let address = without_fragment(address).to_owned();
        let root = self.resource(address, place.clone(), draft, validates);
        self.scan(value, place, root)?;
        Ok(root)
    }

    pub(crate) fn get(&self, resource: usize) -> &Resource {
        &self.resources[resource]
    }

    /// The value at a place.
    pub(crate) fn value(&self, place: &Place) -> Option<&'a Value> {
        self.documents[place.document].value.pointer(&place.pointer)
    }

    /// The resource that a place belongs to: the one that starts there or nearest above it.
    pub(crate) fn resource_at(&self, place: &Place) -> usize {
        let mut pointer = place.pointer.as_str();
        loop {
            let above = Place { document: place.document, pointer: pointer.to_owned() };
            if let Some(&resource) = self.by_place.get(&above) {
                return resource;
            }
            // The outermost place of every document is a resource, so this ends.
            pointer = pointer.rfind('/').map_or("", |slash| &pointer[..slash]);
        }
    }

    /// Where a reference leads, and the resource that it comes to first.
    pub(crate) fn resolve(&mut self, base: usize, reference: &str) -> Result<Target, SchemaReason> {
        let absolute = self.absolute(base, reference).ok_or(SchemaReason::UnresolvedReference)?;
        let (address, fragment) = absolute.split_once('#').unwrap_or((&absolute, ""));
        let resource = self.known(address)?.ok_or(SchemaReason::ExternalReference)?;
        let fragment = pointer::of_fragment(fragment).ok_or(SchemaReason::UnresolvedReference)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            let root = &self.resources[resource].place;
            let place = Place { document: root.document, pointer: format!("{}{fragment}", root.pointer) };
            self.value(&place).ok_or(SchemaReason::UnresolvedReference)?;
            return Ok(Target { resource, place, anchor: None });
        }
        let place = self.anchors.get(&(resource, fragment.clone())).ok_or(SchemaReason::UnresolvedReference)?;
        Ok(Target { resource, place: place.clone(), anchor: Some(fragment) })
    }

    /// The resource with an address, if it is known without asking anyone.
    fn known(&mut self, address: &str) -> Result<Option<usize>, SchemaReason> {
        if let Some(&resource) = self.by_address.get(address) {
            return Ok(Some(resource));
        }
        if !self.asked.insert(address.to_owned()) {
            return Ok(None);
        }
        let Some(meta_schema) = documents::document(address) else { return Ok(None) };
        self.add(address, meta_schema).map(Some).map_err(|error| error.reason())
    }

    fn absolute(&self, base: usize, reference: &str) -> Option<String> {
        let base = &self.resources[base].address;
        if reference.is_empty() || reference.starts_with('#') {
            return Some(format!("{base}{reference}"));
        }
        let base = UriRef::parse(base.as_str()).ok()?.normalize();
        let root;
        let base = if base.has_scheme() {
            Uri::parse(base.as_str().to_owned()).ok()?
        } else {
            root = Uri::parse(DEFAULT_ADDRESS).ok()?;
            base.resolve_against(&root).ok()?
        };
        let base = base.strip_fragment();
        let absolute = UriRef::parse(reference).ok()?.resolve_against(&base).ok()?;
        Some(absolute.normalize().as_str().to_owned())
    }

    /// The draft that a schema names, and whether its keywords of validation apply.
    fn dialect(&self, schema: &Value) -> Result<Option<(Draft, bool)>, SchemaError> {
        let Some(name) = schema.get("$schema").and_then(Value::as_str) else { return Ok(None) };
        if let Some(draft) = Draft::named(name) {
            return Ok(Some((draft, true)));
        }
        let unsupported = || SchemaError::at(SchemaReason::UnsupportedDraft, "/$schema");
        let Some(meta_schema) = self.registered.get(without_fragment(name)) else {
            // Who chose a draft has said how to read what names another one.
            return self.chosen_draft.map(|draft| Some((draft, true))).ok_or_else(unsupported);
        };
        let draft =
            meta_schema.get("$schema").and_then(Value::as_str).and_then(Draft::named).ok_or_else(unsupported)?;
        let validates = meta_schema.get("$vocabulary").and_then(Value::as_object).is_none_or(|vocabularies| {
            vocabularies
                .iter()
                .any(|(name, wanted)| name.ends_with("/vocab/validation") && wanted == &Value::Bool(true))
        });
        Ok(Some((draft, validates)))
    }

    fn resource(&mut self, address: String, place: Place, draft: Draft, validates: bool) -> usize {
        let number = self.resources.len();
        // The first with an address keeps it: a document cannot take that of one before it.
        self.by_address.entry(address.clone()).or_insert(number);
        self.by_place.insert(place.clone(), number);
        self.resources.push(Resource { address, place, draft, validates, dynamic: BTreeMap::new() });
        number
    }

    /// Finds resources and anchors in a schema and below.
    fn scan(&mut self, schema: &'a Value, place: Place, resource: usize) -> Result<(), SchemaError> {
        let mut open = vec![(schema, place, resource)];
        while let Some((schema, place, mut resource)) = open.pop() {
            if schema.is_object() {
                resource = self.identified(schema, &place, resource)?;
                self.anchored(schema, &place, resource);
            }
            for (pointer, inner) in subschemas(schema, self.resources[resource].draft) {
                let place = Place { document: place.document, pointer: format!("{}{pointer}", place.pointer) };
                open.push((inner, place, resource));
            }
        }
        Ok(())
    }

    /// The resource of a schema, a new one if it has an identifier.
    fn identified(&mut self, schema: &'a Value, place: &Place, resource: usize) -> Result<usize, SchemaError> {
        let draft = self.resources[resource].draft;
        let keyword = draft.identifier();
        let Some(identifier) = schema.get(keyword).and_then(Value::as_str) else { return Ok(resource) };
        if draft.is_old() && (schema.get("$ref").is_some() || identifier.starts_with('#')) {
            return Ok(resource);
        }
        let dialect = self.dialect(schema)?;
        let (draft, validates) = dialect.unwrap_or((draft, self.resources[resource].validates));
        let Some(address) = self.absolute(resource, identifier) else {
            return Err(SchemaError::at(SchemaReason::NotASchema, &format!("{}/{keyword}", place.pointer)));
        };
        let (address, fragment) = address.split_once('#').unwrap_or((&address, ""));
        let address = address.to_owned();
        let number = if self.by_place.contains_key(place) {
            // The outermost resource of a document is known by where it was found and by its own name.
            self.by_address.entry(address.clone()).or_insert(resource);
            self.resources[resource].address.clone_from(&address);
            resource
        } else {
            self.resource(address.clone(), place.clone(), draft, validates)
        };
        if draft.is_old() && !fragment.is_empty() {
            self.anchors.insert((number, fragment.to_owned()), place.clone());
        }
        Ok(number)
    }

    fn anchored(&mut self, schema: &Value, place: &Place, resource: usize) {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        let draft = self.resources[resource].draft;
        if draft.is_old() {
            let anchor = text(draft.identifier()).and_then(|identifier| identifier.strip_prefix('#'));
            if let Some(anchor) = anchor.filter(|_| schema.get("$ref").is_none()) {
                self.anchors.insert((resource, anchor.to_owned()), place.clone());
            }
            return;
        }
        if let Some(anchor) = text("$anchor") {
            self.anchors.insert((resource, anchor.to_owned()), place.clone());
        }
        if draft == Draft::Draft202012 {
            if let Some(anchor) = text("$dynamicAnchor") {
                self.anchors.insert((resource, anchor.to_owned()), place.clone());
                self.resources[resource].dynamic.insert(anchor.to_owned(), place.clone());
            }
        } else if schema.get("$recursiveAnchor") == Some(&Value::Bool(true)) && self.resources[resource].place == *place
        {
            self.resources[resource].dynamic.insert(String::new(), place.clone());
        }
    }
}

/// Where a reference leads.
pub(crate) struct Target {
    /// The resource that the address names.
    pub(crate) resource: usize,
    /// The place in it.
    pub(crate) place: Place,
    /// The anchor, if the reference ends in a plain name.
    pub(crate) anchor: Option<String>,
}

fn without_fragment(address: &str) -> &str {
    address.split_once('#').map_or(address, |(address, _)| address)
}
