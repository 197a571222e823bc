//! Swift: XCTest, Swift Testing.

use guard_sdk::language::{SkipKind, Visibility};

use super::shared::{class, function, value};
use crate::table::{
    Call, ClassCalls, Handler, ImportForm, Member, MethodTest, Name, Skips, Table, Tests, Visibilities,
};

const NAME: Name = Name::Field("name");
const BODY: &[&str] = &["function_body"];
const PATTERN: Name = Name::In(&["pattern"], &Name::Field("bound_identifier"));

pub const TABLE: Table = Table {
    definitions: &[
        class("class_declaration", Name::FieldOf("name", &["type_identifier", "user_type"]), None),
        class("protocol_declaration", NAME, Some("protocol")),
        function("function_declaration", Name::FieldOf("name", &["simple_identifier", "custom_operator"]), BODY),
        function("protocol_function_declaration", Name::FieldOf("name", &["simple_identifier"]), &["statements"]),
        function("init_declaration", Name::Fixed("init"), BODY),
        function("deinit_declaration", Name::Fixed("deinit"), BODY),
        value("subscript_declaration", Name::Fixed("subscript"), Some("subscript")),
        value("property_declaration", PATTERN, Some("property")),
        value("protocol_property_declaration", PATTERN, Some("property")),
        value("typealias_declaration", Name::FieldOf("name", &["type_identifier"]), Some("type")),
        value("enum_entry", Name::FieldOf("name", &["simple_identifier"]), Some("case")),
    ],
    comments: &["comment", "multiline_comment"],
    strings: &["line_string_literal", "multi_line_string_literal", "raw_string_literal"],
    annotations: &["attribute"],
    bases: &["inheritance_specifier"],
    blocks: &["function_body", "statements"],
    refusals: &["fatalError(", "preconditionFailure(", "assertionFailure(", "throw "],
    stubs: &[],
    returns: &["control_transfer_statement"],
    scopes: &["lambda_literal", "computed_property", "willset_didset_block"],
    visibility: Visibilities {
        words: &[
            ("public", Visibility::Public),
            ("open", Visibility::Public),
            ("internal", Visibility::Internal),
            ("package", Visibility::Internal),
            ("fileprivate", Visibility::Private),
            ("private", Visibility::Private),
        ],
        default: Visibility::Internal,
        by_capital: false,
    },
    class_calls: ClassCalls::NONE,
    nouns: &["struct", "enum", "actor"],
    imports: &[("import_declaration", ImportForm::Module)],
    conditions: &[],
    calls: &[
        Call { node: "call_expression", arguments: &["call_suffix"] },
        Call { node: "macro_invocation", arguments: &["call_suffix"] },
    ],
    members: &[Member { node: "navigation_expression", object: Some("target"), member: Some("suffix") }],
    names: &["simple_identifier", "type_identifier"],
    binds: &[
        ("pattern", "bound_identifier"),
        ("parameter", "name"),
        ("lambda_parameter", "name"),
        ("lambda_parameter", ""),
        ("type_parameter", ""),
        ("if_statement", "bound_identifier"),
        ("guard_statement", "bound_identifier"),
        ("while_statement", "bound_identifier"),
        ("capture_list_item", "name"),
    ],
    labels: &[
        ("navigation_suffix", "suffix"),
        ("value_argument_label", ""),
        ("parameter", "external_name"),
        ("identifier", "*"),
        ("call_suffix", "name"),
    ],
    handlers: &[Handler {
        node: "catch_block",
        body: Name::Kinds(&["statements"]),
        condition: None,
        mark: "catch",
        broad: &["Error"],
    }],
    is_open: false,
    tests: Tests {
        annotations: &["Test"],
        methods: &[MethodTest { prefix: "test", bases: &["TestCase"], classes: &["TestCase", "Tests"] }],
        functions: &[],
        macros: &[],
        calls: &[],
        comment: None,
        skips: Skips {
            annotations: &[("Test", ".disabled(", SkipKind::Skipped), ("Suite", ".disabled(", SkipKind::Skipped)],
            names: &[],
            calls: &[],
            arguments: &[],
            chained: &[],
            statements: &[
                ("throw XCTSkip", SkipKind::Skipped),
                ("try XCTSkipIf(true", SkipKind::Skipped),
                ("try XCTSkipUnless(false", SkipKind::Skipped),
            ],
        },
        assertions: &[
            "XCTAssert",
            "XCTFail",
            "XCTUnwrap",
            "expect",
            "require",
            "assert",
            "fulfillment",
            "wait",
            "Issue.record",
            "verify",
        ],
        assertion_nodes: &[],
    },
};
