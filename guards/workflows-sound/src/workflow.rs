//! A workflow or a composite action, as far as this guard reads it.

use guard_yaml::{Kind, Node};

pub struct Workflow<'n> {
    pub root: &'n Node,
    pub jobs: Vec<Job<'n>>,
    pub is_action: bool,
}

pub struct Job<'n> {
    pub id: &'n str,
    pub line: u32,
    pub node: &'n Node,
    pub needs: Vec<(&'n str, u32)>,
    pub steps: Vec<&'n Node>,
}

impl<'n> Workflow<'n> {
    /// None: it is neither.
    pub fn new(root: &'n Node, is_action: bool) -> Option<Self> {
        if is_action {
            let runs = root.get("runs")?;
            let steps = runs.get("steps").map_or(&[][..], Node::items).iter().collect();
            let job = Job { id: "runs", line: runs.line, node: runs, needs: Vec::new(), steps };
            return Some(Workflow { root, jobs: vec![job], is_action });
        }
        let jobs = root.get("jobs")?.members().iter().map(|(id, line, node)| Job::new(id, *line, node)).collect();
        Some(Workflow { root, jobs, is_action })
    }

    pub fn job(&self, id: &str) -> Option<&Job<'n>> {
        // Ids of jobs are compared without regard to case.
        self.jobs.iter().find(|job| job.id.eq_ignore_ascii_case(id))
    }

    /// The value of `on`, which parsers of YAML 1.1 read as a truth.
    pub fn on(&self) -> Option<&'n Node> {
        self.root.get("on").or_else(|| self.root.get("true"))
    }

    pub fn triggers(&self) -> Vec<&'n str> {
        match self.on().map(|on| &on.kind) {
            Some(Kind::Text(text)) => vec![text],
            Some(Kind::List(items)) => items.iter().filter_map(Node::text).collect(),
            Some(Kind::Map(members)) => members.iter().map(|(name, _, _)| name.as_str()).collect(),
            None => Vec::new(),
        }
    }

    /// The line of a trigger.
    pub fn line_of(&self, trigger: &str) -> u32 {
        let Some(on) = self.on() else { return 1 };
        let keys = on.members().iter().find(|(name, _, _)| name == trigger).map(|(_, line, _)| *line);
        let items = on.items().iter().find(|item| item.text() == Some(trigger)).map(|item| item.line);
        keys.or(items).unwrap_or(on.line)
    }
}

impl<'n> Job<'n> {
    fn new(id: &'n str, line: u32, node: &'n Node) -> Self {
        let needs = match node.get("needs") {
            Some(Node { kind: Kind::Text(text), line }) => vec![(text.as_str(), *line)],
            Some(list) => list.items().iter().filter_map(|item| Some((item.text()?, item.line))).collect(),
            None => Vec::new(),
        };
        let steps = node.get("steps").map_or(&[][..], Node::items).iter().collect();
        Job { id, line, node, needs, steps }
    }

    /// Every `uses:` of the job, of its own and of its steps.
    pub fn uses(&self) -> Vec<(&'n str, u32)> {
        let own = self.node.get("uses").into_iter();
        let steps = self.steps.iter().filter_map(|step| step.get("uses"));
        own.chain(steps).filter_map(|uses| Some((uses.text()?, uses.line))).collect()
    }

    /// What its steps run, use and are given, to see whether anything in it changed.
    pub fn work(&self) -> Vec<&'n str> {
        let mut work: Vec<&str> = self.uses().into_iter().map(|(uses, _)| uses).collect();
        let mut given = Vec::new();
        for step in &self.steps {
            work.extend(step.text_at("run"));
            [step.get("with"), step.get("env")].into_iter().flatten().for_each(|node| node.texts(&mut given));
        }
        work.extend(given.into_iter().map(|(text, _)| text));
        work
    }
}
