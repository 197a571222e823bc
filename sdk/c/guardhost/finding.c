/* Findings, and text to put into them. */
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

static gh_text formatted(const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    if (length < 0) __builtin_trap();
    char *text = gh_room((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return (gh_text){.ptr = (uint8_t *)text, .len = (size_t)length};
}

/* `text` becomes what the format and the values after it come to. */
#define FORMATTED(text, format)            \
    va_list values;                        \
    va_start(values, format);              \
    gh_text text = formatted(format, values); \
    va_end(values);

char *gh_format(const char *format, ...) {
    FORMATTED(text, format)
    return (char *)text.ptr;
}

gh_text gh_copy(gh_text text) {
    gh_text copy = {.ptr = gh_room(text.len, 1), .len = text.len};
    if (text.len) memcpy(copy.ptr, text.ptr, text.len);
    return copy;
}

gh_text gh_copied(const char *text) { return gh_copy((gh_text){.ptr = (uint8_t *)text, .len = text ? strlen(text) : 0}); }

static gh_finding *add(gh_findings *findings, uint8_t severity, const char *rule, gh_text message) {
    gh_finding *finding = gh_room(1, sizeof *finding);
    *finding = (gh_finding){.rule = gh_copied(rule), .severity = severity, .message = message};
    *findings->end = finding;
    findings->end = &finding->next;
    findings->count++;
    findings->rejects |= severity == GUARDHOST_GUARD_TYPES_SEVERITY_ERROR;
    return finding;
}

#define ADD(name, severity)                                                              \
    gh_finding *name(gh_findings *findings, const char *rule, const char *format, ...) { \
        FORMATTED(message, format)                                                       \
        return add(findings, severity, rule, message);                                   \
    }
ADD(gh_error, GUARDHOST_GUARD_TYPES_SEVERITY_ERROR)
ADD(gh_warning, GUARDHOST_GUARD_TYPES_SEVERITY_WARNING)
ADD(gh_info, GUARDHOST_GUARD_TYPES_SEVERITY_INFO)

void gh_at(gh_finding *finding, gh_text path, uint32_t line) {
    finding->path = gh_copy(path);
    finding->line = line;
}

void gh_to(gh_finding *finding, uint32_t end_line) { finding->end_line = end_line; }

void gh_columns(gh_finding *finding, uint32_t first, uint32_t last) {
    finding->column = first;
    finding->end_column = last;
}

void gh_help(gh_finding *finding, const char *format, ...) {
    FORMATTED(help, format)
    finding->help = help;
}

void gh_fix(gh_finding *finding, const char *title, const gh_edit *edits, size_t count) {
    gh_edit *copies = gh_room(count, sizeof *copies);
    if (count) memcpy(copies, edits, count * sizeof *copies);
    finding->fix = gh_copied(title);
    finding->edits = (guardhost_guard_report_list_edit_t){.ptr = copies, .len = count};
}

static void append(gh_note **list, gh_note note) {
    while (*list) list = &(*list)->next;
    *list = gh_room(1, sizeof note);
    **list = note;
}

void gh_related(gh_finding *finding, gh_text path, uint32_t first, uint32_t last, const char *format, ...) {
    FORMATTED(message, format)
    append(&finding->related, (gh_note){.first = gh_copy(path), .second = message, .line = first, .end_line = last});
}

void gh_attribute(gh_finding *finding, const char *name, const char *value) {
    append(&finding->attributes, (gh_note){.first = gh_copied(name), .second = gh_copied(value)});
}

void gh_not_applicable(gh_findings *findings, const char *why) { findings->not_applicable = why; }

void gh_log(const char *format, ...) {
    FORMATTED(line, format)
    guardhost_guard_log_line(GUARDHOST_GUARD_LOG_LEVEL_INFO, &line);
}
