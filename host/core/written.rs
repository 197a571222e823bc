//! How types are written as JSON where serde's own form is not wanted, and the schema of that form.
//!
//! A report derives `Serialize` and `JsonSchema`; its doc comments are the reference of JSON. This module has what a derive cannot say: ids of
//! git and paths as text, keys that are computed, and the name of a variant for texts.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use git2::Oid;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, Serializer};

/// The name that serde writes for a variant, so that no list of names stands beside the derived one. Empty for a value that is no variant.
pub fn serialized_name(variant: &impl Serialize) -> &'static str {
    let name = serde_variant::to_variant_name(variant);
    debug_assert!(name.is_ok(), "not a variant");
    name.unwrap_or_default()
}

/// Gives types whose variants have no fields the method `as_str`.
#[macro_export]
macro_rules! serialized_names {
    ($($name:ty),* $(,)?) => {$(
        impl $name {
            /// The name in JSON, traces and records.
            pub fn as_str(self) -> &'static str {
                $crate::written::serialized_name(&self)
            }
        }
    )*};
}

/// Writes `$data` with the keys of `$keys`, which derives both traits with `#[serde(remote = "…")]` and says by `getter` which keys are computed.
#[macro_export]
macro_rules! written_as {
    ($data:ty, $keys:ty) => {
        impl serde::Serialize for $data {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$keys>::serialize(self, serializer)
            }
        }
        $crate::schema_of!($data, $keys);
    };
}

/// Writes `$data` as the `$keys` that are made from a reference to it.
#[macro_export]
macro_rules! written_from {
    ($data:ty, $keys:ty) => {
        impl serde::Serialize for $data {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&<$keys>::from(self), serializer)
            }
        }
        $crate::schema_of!($data, $keys);
    };
}

/// The schema of `$data` is that of `$keys`.
#[macro_export]
macro_rules! schema_of {
    ($data:ty, $keys:ty) => {
        impl schemars::JsonSchema for $data {
            fn inline_schema() -> bool {
                <$keys as schemars::JsonSchema>::inline_schema()
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                <$keys as schemars::JsonSchema>::schema_name()
            }
            fn schema_id() -> std::borrow::Cow<'static, str> {
                <$keys as schemars::JsonSchema>::schema_id()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$keys as schemars::JsonSchema>::json_schema(generator)
            }
        }
    };
}

/// An id of git, as hex digits: `#[serde(with = "Hex")]`.
pub struct Hex;

impl Hex {
    pub fn serialize<S: Serializer>(oid: &Oid, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(oid)
    }
}

impl JsonSchema for Hex {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "oid".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9a-f]{40}$" })
    }
}

/// The same for an id that may be absent.
pub struct OptionalHex;

impl OptionalHex {
    pub fn serialize<S: Serializer>(oid: &Option<Oid>, serializer: S) -> Result<S::Ok, S::Error> {
        oid.map(|oid| oid.to_string()).serialize(serializer)
    }
}

schema_of!(OptionalHex, Option<Hex>);

/// A path of this machine; what of it is no text is replaced.
pub struct PathText;

impl PathText {
    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&path.display())
    }
}

schema_of!(PathText, String);

/// The same for a path that may be absent.
pub struct OptionalPathText;

impl OptionalPathText {
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
    }
}

schema_of!(OptionalPathText, Option<String>);

/// The same for several paths.
pub struct PathTexts;

impl PathTexts {
    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
    }
}

schema_of!(PathTexts, Vec<String>);
