//! Bindings of the indexer's world. The types that it answers with are also those that guards get.

wasmtime::component::bindgen!({
    path: ["../../wit/guard", "../../wit/modules", "../../wit/indexer"],
    world: "guardhost:indexer/indexer",
    // Answers are kept on disk.
    additional_derives: [PartialEq, serde::Serialize, serde::Deserialize],
});
