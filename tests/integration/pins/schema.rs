//! The published schema of guards.toml says what the host says.

use guardhost_policy::config::{Digest, GuardsToml};
use guardhost_policy::{SCHEMA, SCHEMA_FILE, SCHEMA_LINE};
use serde_json::Value;

use super::commands::repo;
use crate::support::cli::host;

fn by_schema(toml: &str) -> bool {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let value: toml::Table = toml::from_str(toml).unwrap();
    jsonschema::validator_for(&schema).unwrap().is_valid(&serde_json::to_value(value).unwrap())
}

/// Shared rules without a rule.
const NOTHING: &[u8] = b"schema = 1\n";

fn by_host(toml: &str) -> bool {
    // What it extends is there, and has nothing to say.
    GuardsToml::parse(toml.as_bytes(), "guards.toml", &|_| Ok(Some(NOTHING.to_vec()))).is_ok()
}

/// Every block of TOML with a `schema = 1` in the documents that people read.
#[test]
fn examples_of_the_documents() {
    let digest = Digest::of(NOTHING).to_string();
    let mut found = 0;
    for document in [
        include_str!("../../../README.md"),
        include_str!("../../../docs/pinning.md"),
        include_str!("../../../docs/guards-toml.md"),
    ] {
        for block in document.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("```")) {
            let toml = block.0.replace("sha256:…", &digest);
            if toml.contains("schema = 1") {
                found += 1;
                assert!(by_schema(&toml) && by_host(&toml), "{toml}");
            }
        }
    }
    assert!(found >= 4, "the documents have examples");
}

#[test]
fn both_accept_and_both_refuse() {
    let pin = "schema = 1\n[[guard]]\nid = \"a\"\n";
    let digest = format!("digest = \"sha256:{}\"\n", "0".repeat(64));
    let shared = format!("digest = \"{}\"\n", Digest::of(NOTHING));
    for good in [
        "schema = 1\n[extends]\nsource = \"path:team.toml\"\nwithout = [\"links-resolve\"]\n".to_owned(),
        format!("schema = 1\n[extends]\nsource = \"https://example.org/rules.toml\"\n{shared}"),
        format!("schema = 1\n[extends]\nsource = \"oci://localhost:5000/team/rules:1\"\n{shared}"),
        "schema = 1\n".to_owned(),
        "schema = 1\nguards = []\n".to_owned(),
        "schema = 1\n[providers]\ncommand_chain = [\"a\", \"b\"]\n".to_owned(),
        "schema = 1\n[policy]\nrounds = 20\nprotect = [\"x\"]\nunprotect = [\".github/**\"]\nmax_file_size = \"2 MiB\"\nunjudged = \"reject\"\nallow_unreadable = [\"*.bin\"]\nremember = false\ndisclosure = [\"Assisted-by\", \"Co-authored-by\"]\n".to_owned(),
        "schema = 1\n[[scope]]\nname = \"api-docs\"\npaths = { include = [\"api/**\"], exclude = [] }\nmetrics = [\"docs\"]\nactions = [\"create\"]\ncited = true\nreadme_only = true\nprompt = \"x\"\n".to_owned(),
        "schema = 1\n[[runner]]\npreset = \"rspec\"\nfolder = \"api/v1\"\n[[runner]]\nname = \"own\"\ncommand = \"make test\"\nreport = \"junit\"\nfiles = [\"out/*.xml\"]\n".to_owned(),
        format!("{pin}source = \"builtin\"\nmode = \"monitor\"\ngrants = [\"repo\", \"net\"]\n"),
        format!("{pin}source = \"https://example.org/a.wasm\"\n{digest}"),
        format!("{pin}[[guard]]\nid = \"a-api\"\nguard = \"a\"\nfolder = \"services/api\"\n[[guard]]\nid = \"b\"\nfolder = \"..api/[id]/\"\n"),
        "schema = 1\nguards = []\n[[guard]]\nid = \"a\"\nfolder = \"api\"\n".to_owned(),
        format!("{pin}source = \"oci://localhost:5000/a/b:1.0.0\"\nversion = \"^1\"\n"),
        format!("{pin}limits = {{ fuel = 1, memory = 65536, seconds = 7200 }}\nsettings = {{ any = [1, {{ thing = true }}] }}\n"),
        "schema = 1\n[trust]\nkeys = [{ name = \"a\", minisign = \"RW\" }]\nthreshold = 1\nallow-unsigned = true\nplain-http = []\n".to_owned(),
        "schema = 1\n[[trust.source]]\nprefix = \"oci://localhost:5000/team\"\nallow-unsigned = true\n".to_owned(),
        format!("{pin}source = \"oci://localhost:5000/a/b\"\nsigners = [\"a\"]\nthreshold = 1\n[trust]\nkeys = [{{ name = \"a\", minisign = \"RW\" }}]\n"),
        format!("{pin}source = \"oci://localhost:5000/a/b\"\nallow-unsigned = true\n"),
        format!("schema = 1\n[[refuse]]\n{digest}why = \"it lies\"\n"),
        "schema = 1\n[[refuse]]\nsource = \"oci://localhost:5000/a/b\"\nversion = \"<0.3\"\nwhy = \"it lies\"\n".to_owned(),
        "schema = 1\n[fix]\nreviewers = [\"strict\"]\nthreshold = 100\niterations = 1\naccept_touched = true\nguidelines = []\nreviewer_guidelines = [\"docs/review-*.md\"]\n".to_owned(),
    ] {
        assert!(by_schema(&good), "the schema refuses {good}");
        assert!(by_host(&good), "the host refuses {good}");
    }
    for bad in [
        "".to_owned(),
        "schema = 2\n".to_owned(),
        "schema = 1\n[extends]\nsource = \"builtin\"\n".to_owned(),
        "schema = 1\n[extends]\nsource = \"https://example.org/rules.toml\"\n".to_owned(),
        "schema = 1\n[extends]\nsource = \"path:team.toml\"\nwith = [\"a\"]\n".to_owned(),
        "schema = 1\nguards = [\"a\"]\n".to_owned(),
        "schema = 1\n[policy]\nround = 3\n".to_owned(),
        "schema = 1\n[policy]\nrounds = 0\n".to_owned(),
        "schema = 1\n[policy]\nmax_file_size = \"2 XB\"\n".to_owned(),
        "schema = 1\n[policy]\nunjudged = \"maybe\"\n".to_owned(),
        "schema = 1\n[policy]\nallow_unreadable = \"*.bin\"\n".to_owned(),
        "schema = 1\n[policy]\ndisclosure = [\"Assisted by\"]\n".to_owned(),
        "schema = 1\n[trust]\nthreshold = 0\n".to_owned(),
        "schema = 1\n[fix]\nthreshold = 101\n".to_owned(),
        "schema = 1\n[fix]\niterations = 0\n".to_owned(),
        "schema = 1\n[fix]\nmodel = \"opus\"\n".to_owned(),
        "schema = 1\n[trust]\nallow_unsigned = true\n".to_owned(),
        "schema = 1\n[trust]\nkeys = [{ name = \"a\", minisign = \"RW\", gpg = \"x\" }]\n".to_owned(),
        "schema = 1\n[providers]\nchain = []\n".to_owned(),
        "schema = 1\n[[scope]]\nname = \"Not Kebab\"\n".to_owned(),
        "schema = 1\n[[scope]]\npaths = { include = [\"x\"] }\n".to_owned(),
        "schema = 1\n[[scope]]\nname = \"a\"\nactions = [\"rename\"]\n".to_owned(),
        "schema = 1\n[[scope]]\nname = \"a\"\nmetric = [\"docs\"]\n".to_owned(),
        "schema = 1\n[[runner]]\npreset = \"rspek\"\n".to_owned(),
        "schema = 1\n[[runner]]\nname = \"own\"\nreport = \"tap\"\n".to_owned(),
        "schema = 1\n[[runner]]\nname = \"own\"\ncommand = \" \"\nreport = \"tap\"\n".to_owned(),
        "schema = 1\n[[runner]]\npreset = \"ctest\"\nfolder = \"../other\"\n".to_owned(),
        "schema = 1\n[[runner]]\npreset = \"ctest\"\nreport = \"xunit\"\n".to_owned(),
        "schema = 1\n[[guard]]\nsource = \"builtin\"\n".to_owned(),
        "schema = 1\n[[guard]]\nid = \"Not Kebab\"\n".to_owned(),
        format!("{pin}guard = \"Not Kebab\"\n"),
        format!("{pin}folder = \"\"\n"),
        format!("{pin}folder = \"/api\"\n"),
        format!("{pin}folder = \"api/../web\"\n"),
        format!("{pin}folder = \"./api\"\n"),
        format!("{pin}moode = \"monitor\"\n"),
        format!("{pin}mode = \"warn\"\n"),
        format!("{pin}source = \"ftp://x/y\"\n"),
        format!("{pin}source = \"https://example.org/a.wasm\"\n"),
        format!("{pin}digest = \"sha256:abc\"\n"),
        format!("{pin}paths = {{ includes = [] }}\n"),
        format!("{pin}limits = {{ stack = 1 }}\n"),
        format!("{pin}limits = {{ seconds = -1 }}\n"),
        format!("{pin}limits = {{ seconds = \"60\" }}\n"),
        format!("{pin}settings = 1\n"),
        format!("{pin}allow-unsigned = true\n"),
        format!("{pin}source = \"path:a.wasm\"\nsigners = [\"a\"]\n"),
        format!("{pin}source = \"oci://localhost:5000/a/b\"\nsigners = []\n"),
        format!("{pin}source = \"oci://localhost:5000/a/b\"\nthreshold = 0\n"),
        format!("{pin}source = \"oci://localhost:5000/a/b\"\nallow_unsigned = true\n"),
        format!(
            "{pin}source = \"oci://localhost:5000/a/b\"\nsigners = [\"a\"]\nallow-unsigned = true\n[trust]\nkeys = [{{ name = \"a\", minisign = \"RW\" }}]\n"
        ),
        "schema = 1\n[[trust.source]]\nallow-unsigned = true\n".to_owned(),
        "schema = 1\n[[trust.source]]\nprefix = \"path:tools\"\n".to_owned(),
        format!("schema = 1\n[[refuse]]\n{digest}"),
        format!("schema = 1\n[[refuse]]\n{digest}why = \" \"\n"),
        format!("schema = 1\n[[refuse]]\n{digest}version = \"*\"\nwhy = \"it lies\"\n"),
        "schema = 1\n[[refuse]]\nsource = \"oci://localhost:5000/a/b\"\nwhy = \"it lies\"\n".to_owned(),
        "schema = 1\n[[refuse]]\nsource = \"builtin\"\nversion = \"*\"\nwhy = \"it lies\"\n".to_owned(),
    ] {
        assert!(!by_schema(&bad), "the schema accepts {bad}");
        assert!(!by_host(&bad), "the host accepts {bad}");
    }
}

/// The copy for editors comes with a new guards.toml, is brought up to date, and is no concern of vendor, verify and check.
#[test]
fn a_new_guards_toml_names_a_schema_that_is_there() {
    let repo = repo();
    let added = host(repo.path(), &["guard", "add", "path:tools/guard.wasm", "--format", "json"]).expect(0).json();
    assert_eq!(added["written"], serde_json::json!(["guards.toml", "guards.lock", SCHEMA_FILE]));
    let toml = String::from_utf8(repo.read("guards.toml")).unwrap();
    assert!(toml.starts_with(&format!("{SCHEMA_LINE}\nschema = 1\n")), "{toml}");
    let named = SCHEMA_LINE.strip_prefix("#:schema ./").unwrap();
    assert_eq!(repo.read(named), SCHEMA.as_bytes());
    assert!(by_schema(&toml));

    repo.commit("rules");
    host(repo.path(), &["guard", "vendor"]).expect(0);
    host(repo.path(), &["guard", "verify"]).expect(0);
    assert_eq!(repo.read(SCHEMA_FILE), SCHEMA.as_bytes(), "vendor keeps it");
    // A copy of an older host: no reason to fail where nothing may be written, and updated where it may.
    repo.write(SCHEMA_FILE, "{}");
    host(repo.path(), &["guard", "lock", "--locked"]).expect(0);
    assert_eq!(repo.read(SCHEMA_FILE), b"{}");
    let locked = host(repo.path(), &["guard", "lock", "--format", "json"]).expect(0).json();
    assert_eq!(locked["written"], serde_json::json!([SCHEMA_FILE]));
    assert_eq!(repo.read(SCHEMA_FILE), SCHEMA.as_bytes());
}

/// Authors choose their own schema, or none.
#[test]
fn a_guards_toml_that_exists_keeps_its_first_line() {
    for first in ["#:schema https://example.org/guards.schema.json\n", "# ours\n", ""] {
        let repo = repo();
        repo.write("guards.toml", format!("{first}schema = 1\n"));
        let added = host(repo.path(), &["guard", "add", "path:tools/guard.wasm", "--format", "json"]).expect(0).json();
        assert_eq!(added["written"], serde_json::json!(["guards.toml", "guards.lock"]));
        let toml = String::from_utf8(repo.read("guards.toml")).unwrap();
        assert!(toml.starts_with(&format!("{first}schema = 1\n")), "{toml}");
        assert!(!repo.path().join(SCHEMA_FILE).exists());
    }
}
