/* Write a guard for Guardhost in C: fill in `guard`, write `guard_check`.
 *
 * A guard has what the contract (contract.h, generated) gives it and nothing else: no files, no clock, no environment, no random numbers.
 * Nothing needs to be freed: every call has a fresh memory. What is called is imported; beyond `change` and `log` that takes a grant. */
#ifndef GUARDHOST_GUARD_H
#define GUARDHOST_GUARD_H

#include "contract.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of UTF-8, without a zero at the end. */
typedef contract_string_t gh_text;
typedef guardhost_guard_change_file_t gh_record;
typedef guardhost_guard_change_blob_t gh_blob;
typedef guardhost_guard_change_hunk_t gh_hunk;
typedef guardhost_guard_types_finding_t gh_finding;

/* What a guard says of itself; the same at every call. Texts that it does not have may be NULL. */
typedef struct {
    const char *id;              /* kebab-case, 1 to 64 bytes; the id under which it is pinned */
    const char *version;         /* semver of the guard itself */
    const char *mark;            /* the short mark in reports, such as G13 */
    const char *promise;         /* one sentence: what a change that passes can be relied on to hold */
    const char *event;           /* name of the trace event when it rejects */
    const char *settings_schema; /* JSON Schema (2020-12) of the settings, an object; the host checks settings against it */
    const char *const *globs;    /* gitignore-style globs of the paths that concern it, then NULL; NULL: every path */
} gh_about;

/* A touched file. */
typedef struct {
    uint32_t index;
    const gh_record *record; /* as in the contract: path, old_path, status, before, after */
    gh_text path;
} gh_file;

/* The touched files that concern this guard, sorted by the bytes of their path. */
typedef struct {
    const gh_file *files;
    size_t count;
} gh_change;

typedef struct {
    uint32_t number; /* from 1 */
    gh_text text;    /* without its line ending */
} gh_line;

typedef struct {
    const gh_line *lines;
    size_t count;
    const char *unreadable; /* NULL, or why there is no text; reads as the rest of a sentence */
} gh_lines;

typedef struct gh_findings gh_findings;

/* The author's. `guard_check` adds every finding, not the first; none is a pass. What it returns is NULL, or says how the guard
 * itself failed, which rejects. */
extern const gh_about guard;
const char *guard_check(const gh_change *change, gh_text settings, gh_findings *findings);

/* Whether the candidate has the file with content of its own: not deleted, not a link, not a submodule. */
bool gh_is_regular(const gh_file *file);
/* The lines that the change brings in, and those that it takes away, numbered as in the base. */
gh_lines gh_added_lines(const gh_file *file);
gh_lines gh_removed_lines(const gh_file *file);
/* The text of one side (GUARDHOST_GUARD_CHANGE_SIDE_…), decoded by the host; NULL, or why there is none. */
const char *gh_read(const gh_file *file, guardhost_guard_change_side_t side, gh_text *text);
/* Unicode scalar values of UTF-8. */
size_t gh_characters(gh_text text);

/* Findings: an error rejects, warnings and notes are advice. Formats are those of printf; `rule` is kebab-case and stable. The
 * pointer holds until the next finding is made. */
gh_finding *gh_error(gh_findings *findings, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
gh_finding *gh_warning(gh_findings *findings, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
gh_finding *gh_info(gh_findings *findings, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The file that is meant, and the line of the candidate's file; 0: the whole file. */
void gh_at(gh_finding *finding, gh_text path, uint32_t line);
/* The last line, inclusive, of what begins at `gh_at`. */
void gh_to(gh_finding *finding, uint32_t end_line);
/* What to do instead, in words that a model can act on. */
void gh_help(gh_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Nothing here concerns this guard, and why: takes the place of findings. */
void gh_not_applicable(gh_findings *findings, const char *why);

/* A setting of the settings' JSON text, by its name; `otherwise` when it is not there. */
long long gh_integer(gh_text settings, const char *name, long long otherwise);
double gh_number(gh_text settings, const char *name, double otherwise);
bool gh_boolean(gh_text settings, const char *name, bool otherwise);
/* The JSON text of a setting of another kind; length 0 when it is not there. */
gh_text gh_json(gh_text settings, const char *name);

/* A line for people, never shown to a model. */
void gh_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
