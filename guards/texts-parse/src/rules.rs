//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("css-syntax", "a `.css` file has a bracket, a string or a comment that is not closed, or is closed twice; or it parsed before, and now has more than 384 KiB"),
    Rule::new("scss-syntax", "the same in a `.scss` file"),
    Rule::new("less-syntax", "the same in a `.less` file"),
    Rule::new("hcl-syntax", "a `.tf`, `.tfvars` or `.hcl` file does not parse"),
    Rule::new("dockerfile-syntax", "a `Dockerfile`, `Dockerfile.*`, `*.dockerfile` or `Containerfile` does not parse"),
    Rule::new("xml-syntax", "an `.xml`, `.svg`, `.xsd`, `.xsl`, `.xslt`, `.plist`, `.csproj`, `.props`, `.targets` or `.nuspec` file is not well-formed"),
];
