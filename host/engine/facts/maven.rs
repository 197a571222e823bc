//! `pom.xml` (<https://maven.apache.org/pom.html>).

use quick_xml::Reader;
use quick_xml::events::Event;

use super::DependencyKind;
use super::declared::{Declared, problem};

/// The texts of one `<dependency>`, `<plugin>`, `<extension>` or `<parent>`.
#[derive(Default)]
struct MavenArtifact {
    group: String,
    artifact: String,
    version: String,
    scope: String,
    optional: bool,
}

pub fn parse(text: &str) -> Result<Declared, String> {
    let mut reader = Reader::from_str(text);
    let mut declared = Declared::default();
    // A project may have a group of its own; the parent's group is the default.
    let (mut own, mut parent) = (MavenArtifact::default(), MavenArtifact::default());
    let mut path: Vec<String> = Vec::new();
    // Dependencies of a plugin nest in the plugin.
    let mut open: Vec<MavenArtifact> = Vec::new();
    let mut plugins = 0usize;
    let mut content = String::new();
    loop {
        match reader.read_event().map_err(problem)? {
            Event::Start(tag) => {
                let name = tag.local_name().as_ref().to_owned();
                if is_artifact(&name) {
                    open.push(MavenArtifact::default());
                }
                plugins += usize::from(name == "plugin");
                path.push(name);
                content.clear();
            }
            Event::Text(text) => content.push_str(text.xml10_content().trim()),
            Event::End(_) => {
                let Some(name) = path.pop() else { break };
                plugins -= usize::from(name == "plugin");
                if is_artifact(&name) {
                    let artifact = open.pop().unwrap_or_default();
                    if name == "parent" && path.len() == 1 {
                        artifact.declare(&mut declared, DependencyKind::Build);
                        parent = artifact;
                    } else if name != "parent" {
                        let of_build = name != "dependency" || plugins > 0;
                        let kind = if of_build { DependencyKind::Build } else { artifact.kind() };
                        artifact.declare(&mut declared, kind);
                    }
                } else if path.len() == 1 {
                    own.learn(&name, &content);
                } else if path.last().is_some_and(|last| is_artifact(last))
                    && let Some(artifact) = open.last_mut()
                {
                    artifact.learn(&name, &content);
                }
                content.clear();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if !path.is_empty() {
        return Err(format!("`<{}>` is not closed", path.join("/")));
    }
    if own.group.is_empty() {
        own.group = parent.group;
    }
    declared.name = (!own.artifact.is_empty()).then(|| own.name());
    Ok(declared)
}

fn is_artifact(name: &str) -> bool {
    matches!(name, "dependency" | "plugin" | "extension" | "parent")
}

impl MavenArtifact {
    fn learn(&mut self, tag: &str, text: &str) {
        match tag {
            "groupId" => self.group = text.to_owned(),
            "artifactId" => self.artifact = text.to_owned(),
            "version" => self.version = text.to_owned(),
            "scope" => self.scope = text.to_owned(),
            "optional" => self.optional = text == "true",
            _ => {}
        }
    }

    fn name(&self) -> String {
        if self.group.is_empty() { self.artifact.clone() } else { format!("{}:{}", self.group, self.artifact) }
    }

    fn kind(&self) -> DependencyKind {
        match self.scope.as_str() {
            "test" => DependencyKind::Dev,
            _ if self.optional => DependencyKind::Optional,
            _ => DependencyKind::Normal,
        }
    }

    fn declare(&self, declared: &mut Declared, kind: DependencyKind) {
        if !self.artifact.is_empty() {
            declared.add(&self.name(), &self.version, kind);
        }
    }
}
