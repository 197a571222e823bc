//! Java: JUnit 3, 4 and 5, TestNG.

use guard_sdk::language::{SkipKind, Visibility};

use super::shared::{PUBLIC_PROTECTED_PRIVATE, class, function, value};
use crate::table::{
    Call, ClassCalls, Handler, ImportForm, Member, MethodTest, Name, Skips, Table, Tests, Visibilities,
};

const NAME: Name = Name::Field("name");
const DECLARATORS: Name = Name::In(&["variable_declarator"], &NAME);

pub const TABLE: Table = Table {
    definitions: &[
        class("class_declaration", NAME, None),
        class("interface_declaration", NAME, Some("interface")),
        class("enum_declaration", NAME, Some("enum")),
        class("record_declaration", NAME, Some("record")),
        class("annotation_type_declaration", NAME, Some("annotation")),
        function("method_declaration", NAME, &["block"]),
        function("constructor_declaration", NAME, &["constructor_body"]),
        function("compact_constructor_declaration", NAME, &["block"]),
        value("annotation_type_element_declaration", NAME, None),
        value("field_declaration", DECLARATORS, Some("field")),
        value("constant_declaration", DECLARATORS, Some("constant")),
        value("enum_constant", NAME, Some("constant")),
    ],
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal"],
    annotations: &["annotation", "marker_annotation"],
    bases: &["superclass", "super_interfaces", "extends_interfaces"],
    blocks: &["block", "constructor_body"],
    refusals: &["throw new "],
    stubs: &["throw new NotImplementedException", "throw new NotImplementedError"],
    returns: &["return_statement"],
    scopes: &["lambda_expression", "static_initializer"],
    visibility: Visibilities { words: PUBLIC_PROTECTED_PRIVATE, default: Visibility::Internal, by_capital: false },
    class_calls: ClassCalls::NONE,
    nouns: &[],
    imports: &[("import_declaration", ImportForm::Dotted)],
    conditions: &[],
    calls: &[
        Call { node: "method_invocation", arguments: &["argument_list"] },
        Call { node: "object_creation_expression", arguments: &["argument_list"] },
    ],
    members: &[
        Member { node: "method_invocation", object: Some("object"), member: Some("name") },
        Member { node: "field_access", object: Some("object"), member: Some("field") },
    ],
    names: &["identifier", "type_identifier"],
    binds: &[
        ("variable_declarator", "name"),
        ("formal_parameter", "name"),
        ("catch_formal_parameter", "name"),
        ("enhanced_for_statement", "name"),
        ("resource", "name"),
        ("inferred_parameters", ""),
        ("lambda_expression", "parameters"),
        ("type_parameter", ""),
        ("instanceof_expression", "name"),
        ("type_pattern", ""),
        ("record_pattern_component", ""),
    ],
    labels: &[
        ("field_access", "field"),
        ("scoped_identifier", "name"),
        ("element_value_pair", "key"),
        ("labeled_statement", ""),
        ("break_statement", ""),
        ("continue_statement", ""),
        ("method_reference", "+"),
        ("package_declaration", "*"),
    ],
    handlers: &[Handler {
        node: "catch_clause",
        body: Name::Field("body"),
        condition: None,
        mark: "catch",
        broad: &["Exception", "Throwable", "RuntimeException", "Error"],
    }],
    is_open: false,
    tests: Tests {
        annotations: &[
            "Test",
            "ParameterizedTest",
            "RepeatedTest",
            "TestFactory",
            "TestTemplate",
            "Theory",
            "Property",
        ],
        methods: &[MethodTest { prefix: "test", bases: &["TestCase"], classes: &[] }],
        functions: &[],
        macros: &[],
        calls: &[],
        comment: None,
        skips: Skips {
            annotations: &[
                ("Disabled", "", SkipKind::Skipped),
                ("Ignore", "", SkipKind::Skipped),
                ("Test", "enabled=false", SkipKind::Skipped),
            ],
            names: &[],
            calls: &[],
            arguments: &[],
            chained: &[],
            statements: &[
                ("Assumptions.abort", SkipKind::Skipped),
                ("Assumptions.assumeTrue(false", SkipKind::Skipped),
                ("assumeTrue(false", SkipKind::Skipped),
                ("Assume.assumeTrue(false", SkipKind::Skipped),
                ("throw new SkipException", SkipKind::Skipped),
            ],
        },
        assertions: &["assert", "verify", "expect", "fail", "should", "then", "check", "andExpect"],
        assertion_nodes: &["assert_statement"],
    },
};
