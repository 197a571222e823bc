//! `guardhost:guard/report`: descriptions and findings that the guard builds. They are drafts until a call returns them.

use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::guard::report::{Edit, Host, HostDescription, HostFinding, Severity};
use crate::call::store_data::StoreData;
use crate::drafts::{DescriptionDraft, FindingDraft, RelatedDraft};
use crate::handles::{DescriptionHandle, FindingHandle};
use crate::limits::{FINDINGS, GuardStop};

/// Descriptions that one call may begin.
const DESCRIPTIONS: usize = 16;

/// Findings that one call may begin: some may be dropped.
const DRAFTS: usize = 10 * FINDINGS;

impl Host for StoreData {}

impl StoreData {
    /// Counts a host call and what the guard says in it.
    fn say(&mut self, texts: &[&str]) -> Result<(), GuardStop> {
        self.meter.call()?;
        self.meter.count_output(texts.iter().map(|text| text.len()).sum())
    }

    fn description_draft(
        &mut self,
        draft: &Resource<DescriptionHandle>,
        texts: &[&str],
    ) -> Result<&mut DescriptionDraft> {
        self.say(texts)?;
        StoreData::kept_mut(&mut self.descriptions, draft)
    }

    fn finding_draft(&mut self, draft: &Resource<FindingHandle>, texts: &[&str]) -> Result<&mut FindingDraft> {
        self.say(texts)?;
        StoreData::kept_mut(&mut self.findings, draft)
    }
}

impl HostDescription for StoreData {
    fn new(&mut self, id: String, version: String, promise: String) -> Result<Resource<DescriptionHandle>> {
        self.say(&[&id, &version, &promise])?;
        if self.descriptions.len() == DESCRIPTIONS {
            return Err(GuardStop::Count(format!("it began more than {DESCRIPTIONS} descriptions")).into());
        }
        StoreData::keep(&mut self.descriptions, DescriptionDraft { id, version, promise, ..Default::default() })
    }

    fn set_mark(&mut self, draft: Resource<DescriptionHandle>, mark: String) -> Result<()> {
        let draft = self.description_draft(&draft, &[&mark])?;
        draft.mark = mark;
        Ok(())
    }

    fn add_stage(&mut self, draft: Resource<DescriptionHandle>, stage: String) -> Result<()> {
        self.description_draft(&draft, &[&stage])?.stages.push(stage);
        Ok(())
    }

    fn add_glob(&mut self, draft: Resource<DescriptionHandle>, glob: String) -> Result<()> {
        self.description_draft(&draft, &[&glob])?.globs.push(glob);
        Ok(())
    }

    fn add_need(&mut self, draft: Resource<DescriptionHandle>, capability: String, why: String) -> Result<()> {
        self.description_draft(&draft, &[&capability, &why])?.needs.push((capability, Vec::new(), why));
        Ok(())
    }

    fn add_need_of_paths(
        &mut self,
        draft: Resource<DescriptionHandle>,
        capability: String,
        globs: Vec<String>,
        why: String,
    ) -> Result<()> {
        self.meter.count_output(globs.iter().map(|glob| size_of::<String>() + glob.len()).sum())?;
        self.description_draft(&draft, &[&capability, &why])?.needs.push((capability, globs, why));
        Ok(())
    }

    fn set_settings_schema(&mut self, draft: Resource<DescriptionHandle>, schema: String) -> Result<()> {
        let draft = self.description_draft(&draft, &[&schema])?;
        draft.settings_schema = Some(schema);
        Ok(())
    }

    fn set_event(&mut self, draft: Resource<DescriptionHandle>, event: String) -> Result<()> {
        let draft = self.description_draft(&draft, &[&event])?;
        draft.event = event;
        Ok(())
    }

    fn add_rule(
        &mut self,
        draft: Resource<DescriptionHandle>,
        rule: String,
        summary: String,
        url: Option<String>,
    ) -> Result<()> {
        let draft = self.description_draft(&draft, &[&rule, &summary, url.as_deref().unwrap_or_default()])?;
        draft.rules.push((rule, summary, url));
        Ok(())
    }

    /// This version knows no attribute.
    fn set_attribute(&mut self, draft: Resource<DescriptionHandle>, name: String, value: String) -> Result<()> {
        self.description_draft(&draft, &[&name, &value]).map(|_| ())
    }

    fn drop(&mut self, _: Resource<DescriptionHandle>) -> Result<()> {
        Ok(())
    }
}

impl HostFinding for StoreData {
    fn new(&mut self, rule: String, severity: Severity, message: String) -> Result<Resource<FindingHandle>> {
        self.say(&[&rule, &message])?;
        if self.findings.len() == DRAFTS {
            return Err(GuardStop::Output(format!("it began more than {DRAFTS} findings")).into());
        }
        let draft = FindingDraft {
            rule,
            severity,
            message,
            path: None,
            lines: None,
            columns: None,
            help: None,
            fix: None,
            related: Vec::new(),
            is_secret: false,
        };
        StoreData::keep(&mut self.findings, draft)
    }

    fn set_path(&mut self, draft: Resource<FindingHandle>, path: String) -> Result<()> {
        let draft = self.finding_draft(&draft, &[&path])?;
        draft.path = Some(path);
        Ok(())
    }

    fn set_lines(&mut self, draft: Resource<FindingHandle>, first: u32, last: u32) -> Result<()> {
        self.finding_draft(&draft, &[])?.lines = Some((first, last));
        Ok(())
    }

    fn set_columns(&mut self, draft: Resource<FindingHandle>, first: u32, last: u32) -> Result<()> {
        self.finding_draft(&draft, &[])?.columns = Some((first, last));
        Ok(())
    }

    fn set_help(&mut self, draft: Resource<FindingHandle>, help: String) -> Result<()> {
        let draft = self.finding_draft(&draft, &[&help])?;
        draft.help = Some(help);
        Ok(())
    }

    fn set_fix(&mut self, draft: Resource<FindingHandle>, title: String, edits: Vec<Edit>) -> Result<()> {
        self.meter.count_output(
            edits.iter().map(|edit| size_of::<Edit>() + edit.path.len() + edit.replacement.len()).sum(),
        )?;
        let draft = self.finding_draft(&draft, &[&title])?;
        draft.fix = Some((title, edits));
        Ok(())
    }

    fn add_related(
        &mut self,
        draft: Resource<FindingHandle>,
        path: String,
        first: u32,
        last: u32,
        message: String,
    ) -> Result<()> {
        let draft = self.finding_draft(&draft, &[&path, &message])?;
        draft.related.push(RelatedDraft { path, lines: (first, last), message });
        Ok(())
    }

    /// The attribute `secret` with the value `true` says that what stands at the finding's place is not to be shown.
    fn set_attribute(&mut self, draft: Resource<FindingHandle>, name: String, value: String) -> Result<()> {
        let draft = self.finding_draft(&draft, &[&name, &value])?;
        draft.is_secret |= name == "secret" && value == "true";
        Ok(())
    }

    fn drop(&mut self, _: Resource<FindingHandle>) -> Result<()> {
        Ok(())
    }
}
