/* What the host calls. */
#include <string.h>

#include "inside.h"

/* Of a text that the host copies. */
static gh_text text(const char *text) {
    return (gh_text){.ptr = (uint8_t *)text, .len = text ? strlen(text) : 0};
}

static gh_change change_now(void) {
    guardhost_guard_change_list_own_file_t own;
    guardhost_guard_change_files(&own);
    gh_file *files = gh_room(own.len, sizeof *files);
    for (size_t i = 0; i < own.len; i++) {
        files[i].handle = guardhost_guard_change_borrow_file(own.ptr[i]);
        guardhost_guard_change_method_file_path(files[i].handle, &files[i].path);
    }
    return (gh_change){.files = files, .count = own.len};
}

static contract_list_string_t texts(const char *const *list) {
    size_t count = 0;
    while (list && list[count]) count++;
    gh_text *copies = gh_room(count, sizeof *copies);
    for (size_t i = 0; i < count; i++) copies[i] = text(list[i]);
    return (contract_list_string_t){.ptr = copies, .len = count};
}

exports_guardhost_guard_metadata_own_description_t exports_guardhost_guard_metadata_describe(void) {
    gh_text id = text(guard.id), version = text(guard.version), promise = text(guard.promise);
    guardhost_guard_report_own_description_t own =
        guardhost_guard_report_constructor_description(&id, &version, &promise);
    guardhost_guard_report_borrow_description_t said = guardhost_guard_report_borrow_description(own);
#define SET(field, method)                                            \
    if (guard.field) {                                                \
        gh_text value = text(guard.field);                            \
        guardhost_guard_report_method_description_##method(said, &value); \
    }
    SET(mark, set_mark)
    SET(event, set_event)
    SET(settings_schema, set_settings_schema)
    contract_list_string_t stages = texts(guard.stages), globs = texts(guard.globs);
    for (size_t i = 0; i < stages.len; i++) guardhost_guard_report_method_description_add_stage(said, &stages.ptr[i]);
    for (size_t i = 0; i < globs.len; i++) guardhost_guard_report_method_description_add_glob(said, &globs.ptr[i]);
    for (const gh_need *need = guard.needs; need && need->capability; need++) {
        gh_text capability = text(need->capability), why = text(need->why);
        contract_list_string_t paths = texts(need->paths);
        if (need->paths) guardhost_guard_report_method_description_add_need_of_paths(said, &capability, &paths, &why);
        else guardhost_guard_report_method_description_add_need(said, &capability, &why);
    }
    for (const gh_rule *rule = guard.rules; rule && rule->rule; rule++) {
        gh_text name = text(rule->rule), summary = text(rule->summary), url = text(rule->url);
        guardhost_guard_report_method_description_add_rule(said, &name, &summary, rule->url ? &url : NULL);
    }
    contract_list_string_t attributes = texts(guard.attributes);
    for (size_t i = 0; i + 1 < attributes.len; i += 2)
        guardhost_guard_report_method_description_set_attribute(said, &attributes.ptr[i], &attributes.ptr[i + 1]);
    return own;
}

static exports_guardhost_guard_judge_own_finding_t handed_over(gh_finding *finding) {
    guardhost_guard_report_own_finding_t own =
        guardhost_guard_report_constructor_finding(&finding->rule, finding->severity, &finding->message);
    guardhost_guard_report_borrow_finding_t said = guardhost_guard_report_borrow_finding(own);
    uint32_t end_line = finding->end_line ? finding->end_line : finding->line;
    if (finding->path.ptr) guardhost_guard_report_method_finding_set_path(said, &finding->path);
    if (finding->line) guardhost_guard_report_method_finding_set_lines(said, finding->line, end_line);
    if (finding->column) guardhost_guard_report_method_finding_set_columns(said, finding->column, finding->end_column);
    if (finding->help.ptr) guardhost_guard_report_method_finding_set_help(said, &finding->help);
    if (finding->fix.ptr) guardhost_guard_report_method_finding_set_fix(said, &finding->fix, &finding->edits);
    for (gh_note *at = finding->related; at; at = at->next)
        guardhost_guard_report_method_finding_add_related(said, &at->first, at->line, at->end_line, &at->second);
    for (gh_note *at = finding->attributes; at; at = at->next)
        guardhost_guard_report_method_finding_set_attribute(said, &at->first, &at->second);
    return own;
}

bool exports_guardhost_guard_judge_check(contract_string_t *settings, exports_guardhost_guard_judge_verdict_t *verdict,
                                         contract_string_t *error) {
    gh_change change = change_now();
    gh_findings findings = {.end = &findings.first};
    const char *failed = guard_check(&change, *settings, &findings);
    if (failed) {
        *error = gh_copied(failed);
        return false;
    }
    if (findings.not_applicable) {
        verdict->tag = EXPORTS_GUARDHOST_GUARD_JUDGE_VERDICT_NOT_APPLICABLE;
        verdict->val.not_applicable = gh_copied(findings.not_applicable);
        return true;
    }
    exports_guardhost_guard_judge_list_own_finding_t list = {
        .ptr = gh_room(findings.count, sizeof *list.ptr), .len = findings.count};
    size_t next = 0;
    for (gh_finding *finding = findings.first; finding; finding = finding->next) list.ptr[next++] = handed_over(finding);
    verdict->tag = findings.rejects ? EXPORTS_GUARDHOST_GUARD_JUDGE_VERDICT_REJECT : EXPORTS_GUARDHOST_GUARD_JUDGE_VERDICT_PASS;
    verdict->val.pass = list;
    return true;
}

/* The generated code links an object file that holds the contract's types; `host guard componentize` brings them instead. */
void __component_type_object_force_link_contract(void);
void __component_type_object_force_link_contract(void) {}
