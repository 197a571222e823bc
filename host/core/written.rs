//! How types are written as JSON where serde's own form is not wanted, and the schema of that form.
//!
//! A report derives `Serialize` and `JsonSchema`; its doc comments are the reference of JSON. This module has what a derive cannot say: ids of
//! git and paths as text, keys that are computed, and the word of a variant for texts.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use git2::Oid;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Impossible, Serialize, Serializer};

/// The word that serde writes for a variant without fields, so that no list of words stands beside the derived one. Empty for any other
/// value.
pub fn word(variant: &(impl Serialize + ?Sized)) -> &'static str {
    let word = variant.serialize(WordOf);
    debug_assert!(word.is_ok(), "not a variant without fields");
    word.unwrap_or_default()
}

/// Gives types whose variants have no fields the method `word`.
#[macro_export]
macro_rules! words {
    ($($name:ty),* $(,)?) => {$(
        impl $name {
            /// The word in JSON, traces and records.
            pub fn word(self) -> &'static str {
                $crate::written::word(&self)
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

/// Takes the name of a variant without fields, also inside of variants that are written as what they hold.
struct WordOf;

type NoWord = Impossible<&'static str, fmt::Error>;

/// The methods of [`Serializer`] for values that are no variant.
macro_rules! no_word {
    ($($method:ident($($argument:ty),*) -> $result:ty;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$result, fmt::Error> {
            Err(fmt::Error)
        }
    )*};
}

impl Serializer for WordOf {
    type Ok = &'static str;
    type Error = fmt::Error;
    type SerializeSeq = NoWord;
    type SerializeTuple = NoWord;
    type SerializeTupleStruct = NoWord;
    type SerializeTupleVariant = NoWord;
    type SerializeMap = NoWord;
    type SerializeStruct = NoWord;
    type SerializeStructVariant = NoWord;

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<&'static str, fmt::Error> {
        Ok(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<&'static str, fmt::Error> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<&'static str, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<&'static str, fmt::Error> {
        Err(fmt::Error)
    }

    no_word! {
        serialize_bool(bool) -> &'static str;
        serialize_i8(i8) -> &'static str;
        serialize_i16(i16) -> &'static str;
        serialize_i32(i32) -> &'static str;
        serialize_i64(i64) -> &'static str;
        serialize_u8(u8) -> &'static str;
        serialize_u16(u16) -> &'static str;
        serialize_u32(u32) -> &'static str;
        serialize_u64(u64) -> &'static str;
        serialize_f32(f32) -> &'static str;
        serialize_f64(f64) -> &'static str;
        serialize_char(char) -> &'static str;
        serialize_str(&str) -> &'static str;
        serialize_bytes(&[u8]) -> &'static str;
        serialize_none() -> &'static str;
        serialize_unit() -> &'static str;
        serialize_unit_struct(&'static str) -> &'static str;
        serialize_seq(Option<usize>) -> NoWord;
        serialize_tuple(usize) -> NoWord;
        serialize_tuple_struct(&'static str, usize) -> NoWord;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> NoWord;
        serialize_map(Option<usize>) -> NoWord;
        serialize_struct(&'static str, usize) -> NoWord;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> NoWord;
    }
}
