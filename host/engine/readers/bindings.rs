//! Bindings of the world of languages. The types that a component answers with are also those that guards get.

wasmtime::component::bindgen!({
    path: ["../../wit/guard", "../../wit/modules", "../../wit/language"],
    world: "guardhost:language/language",
    // Answers are kept on disk.
    additional_derives: [PartialEq, serde::Serialize, serde::Deserialize],
});
