/* What the host calls. */
#include "inside.h"

void exports_contract_describe(contract_description_t *said) {
    *said = (contract_description_t){
        .id = gh_owned(guard.id),
        .version = gh_owned(guard.version),
        .mark = gh_owned(guard.mark),
        .promise = gh_owned(guard.promise),
        .event = gh_owned(guard.event),
        .settings_schema =
            gh_owned(guard.settings_schema ? guard.settings_schema : "{\"type\":\"object\",\"additionalProperties\":false}"),
    };
    said->stages.ptr = gh_room(1, sizeof *said->stages.ptr);
    said->stages.ptr[0] = GUARDHOST_GUARD_TYPES_STAGE_CONTENT;
    said->stages.len = 1;
    while (guard.globs && guard.globs[said->globs.len]) said->globs.len++;
    said->globs.ptr = gh_room(said->globs.len, sizeof *said->globs.ptr);
    for (size_t i = 0; i < said->globs.len; i++) said->globs.ptr[i] = gh_owned(guard.globs[i]);
}

bool exports_contract_check(contract_string_t *settings, contract_verdict_t *verdict, contract_string_t *error) {
    gh_change change = gh_change_now();
    gh_findings findings = {0};
    const char *failed = guard_check(&change, *settings, &findings);
    if (failed) {
        *error = gh_owned(failed);
        return false;
    }
    if (findings.not_applicable) {
        verdict->tag = GUARDHOST_GUARD_TYPES_VERDICT_NOT_APPLICABLE;
        verdict->val.not_applicable = gh_owned(findings.not_applicable);
        return true;
    }
    verdict->tag = findings.rejects ? GUARDHOST_GUARD_TYPES_VERDICT_REJECT : GUARDHOST_GUARD_TYPES_VERDICT_PASS;
    verdict->val.pass = findings.list;
    return true;
}

/* The generated code links an object file that holds the contract's types; `host guard componentize` brings them instead. */
void __component_type_object_force_link_contract(void);
void __component_type_object_force_link_contract(void) {}
