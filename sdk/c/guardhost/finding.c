/* Findings and the verdict that they make. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void *gh_room(size_t count, size_t size) {
    void *room = calloc(count ? count : 1, size);
    if (!room) __builtin_trap();
    return room;
}

static char *formatted(const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    if (length < 0) __builtin_trap();
    char *text = gh_room((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *gh_format(const char *format, ...) {
    va_list values;
    va_start(values, format);
    char *text = formatted(format, values);
    va_end(values);
    return text;
}

gh_text gh_owned(const char *text) {
    gh_text owned;
    contract_string_dup(&owned, text ? text : "");
    return owned;
}

static gh_finding *add(gh_findings *findings, uint8_t severity, const char *rule, const char *format, va_list values) {
    if (findings->list.len == findings->room) {
        findings->room = findings->room ? 2 * findings->room : 8;
        findings->list.ptr = realloc(findings->list.ptr, findings->room * sizeof *findings->list.ptr);
        if (!findings->list.ptr) __builtin_trap();
    }
    gh_finding *finding = &findings->list.ptr[findings->list.len++];
    *finding = (gh_finding){.rule = gh_owned(rule), .severity = severity, .message = gh_owned(formatted(format, values))};
    findings->rejects |= severity == GUARDHOST_GUARD_TYPES_SEVERITY_ERROR;
    return finding;
}

#define ADD(name, severity)                                                                    \
    gh_finding *name(gh_findings *findings, const char *rule, const char *format, ...) {       \
        va_list values;                                                                        \
        va_start(values, format);                                                              \
        gh_finding *finding = add(findings, severity, rule, format, values);                   \
        va_end(values);                                                                        \
        return finding;                                                                        \
    }
ADD(gh_error, GUARDHOST_GUARD_TYPES_SEVERITY_ERROR)
ADD(gh_warning, GUARDHOST_GUARD_TYPES_SEVERITY_WARNING)
ADD(gh_info, GUARDHOST_GUARD_TYPES_SEVERITY_INFO)

void gh_at(gh_finding *finding, gh_text path, uint32_t line) {
    finding->path.is_some = true;
    contract_string_dup_n(&finding->path.val, (const char *)path.ptr, path.len);
    finding->line = (contract_option_u32_t){.is_some = line > 0, .val = line};
}

void gh_to(gh_finding *finding, uint32_t end_line) {
    finding->end_line = (contract_option_u32_t){.is_some = true, .val = end_line};
}

void gh_help(gh_finding *finding, const char *format, ...) {
    va_list values;
    va_start(values, format);
    finding->help = (contract_option_string_t){.is_some = true, .val = gh_owned(formatted(format, values))};
    va_end(values);
}

void gh_not_applicable(gh_findings *findings, const char *why) { findings->not_applicable = why; }

void gh_log(const char *format, ...) {
    va_list values;
    va_start(values, format);
    gh_text line = gh_owned(formatted(format, values));
    va_end(values);
    guardhost_guard_log_line(GUARDHOST_GUARD_LOG_LEVEL_INFO, &line);
}
