/* Write a guard for Guardhost in C: fill in `guard`, write `guard_check`.
 *
 * A guard has what the contract (contract.h, generated) gives it and nothing else: no files, no clock, no environment, no random numbers.
 * Nothing needs to be freed: every call has a fresh memory. What is called is imported; beyond the package `guardhost:guard` that takes
 * a grant. */
#ifndef GUARDHOST_GUARD_H
#define GUARDHOST_GUARD_H

#include "contract.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of UTF-8, without a zero at the end. */
typedef contract_string_t gh_text;
typedef guardhost_guard_types_side_t gh_side;         /* GUARDHOST_GUARD_TYPES_SIDE_… */
typedef guardhost_guard_types_blob_t gh_blob;         /* oid, mode (GUARDHOST_GUARD_TYPES_MODE_…), size */
typedef guardhost_guard_change_status_t gh_status;    /* GUARDHOST_GUARD_CHANGE_STATUS_… */
typedef guardhost_guard_change_list_hunk_t gh_hunks;
typedef guardhost_guard_report_edit_t gh_edit;

/* A capability beyond the package `guardhost:guard`, and why the guard needs it. */
typedef struct {
    const char *capability;   /* by the name of its package, such as repo */
    const char *why;          /* shown to whoever grants it */
    const char *const *paths; /* globs, then NULL, when a grant for these files is enough; NULL: every path */
} gh_need;

/* A rule of which findings may speak. */
typedef struct {
    const char *rule;
    const char *summary;
    const char *url; /* where it is documented: an https address, or NULL */
} gh_rule;

/* What a guard says of itself; the same at every call. What it does not have may be NULL; lists end with a NULL or an empty entry. */
typedef struct {
    const char *id;              /* kebab-case, 1 to 64 bytes; the id under which it is pinned */
    const char *version;         /* semver of the guard itself */
    const char *promise;         /* one sentence: what a change that passes can be relied on to hold */
    const char *mark;            /* the short mark in reports, such as G13 */
    const char *event;           /* name of the trace event when it rejects */
    const char *settings_schema; /* JSON Schema (2020-12) of the settings, an object; the host checks settings against it */
    const char *const *stages;   /* when it is asked: patch, content, command, score; NULL: content */
    const char *const *globs;    /* gitignore-style globs of the paths that concern it; NULL: every path */
    const gh_need *needs;
    const gh_rule *rules;
    const char *const *attributes; /* names and values in turn; a host ignores names that it does not know */
} gh_about;

/* A touched file. */
typedef struct {
    guardhost_guard_change_borrow_file_t handle; /* for the functions of contract.h */
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

/* What the model was asked to do. */
typedef struct {
    gh_text text;
    contract_list_string_t hints; /* paths that the task names as its scope */
    bool is_compile_fix;
} gh_task;

/* A commit of the change. */
typedef struct {
    gh_text oid; /* empty for a commit that is not made yet */
    gh_text message;
    guardhost_guard_change_person_t author;
    guardhost_guard_change_list_trailer_t trailers;
} gh_commit;

typedef struct {
    const gh_commit *commits;
    size_t count;
} gh_commits;

typedef struct gh_finding gh_finding;
typedef struct gh_findings gh_findings;

/* The author's. `guard_check` adds every finding, not the first; none is a pass. What it returns is NULL, or says how the guard
 * itself failed, which rejects. */
extern const gh_about guard;
const char *guard_check(const gh_change *change, gh_text settings, gh_findings *findings);

/* One side of a file; false when it does not exist: the file is added, or deleted. */
bool gh_blob_of(const gh_file *file, gh_side side, gh_blob *blob);
gh_status gh_status_of(const gh_file *file);
/* Where a renamed or copied file came from; false: it is neither. */
bool gh_old_path(const gh_file *file, gh_text *path);
/* Whether the candidate has the file with content of its own: not deleted, not a link, not a submodule. */
bool gh_is_regular(const gh_file *file);
/* What differs, without context; none when either side is not text. */
gh_hunks gh_hunks_of(const gh_file *file);
/* The lines that the change brings in, and those that it takes away, numbered as in the base. */
gh_lines gh_added_lines(const gh_file *file);
gh_lines gh_removed_lines(const gh_file *file);
/* The text of one side, decoded by the host, and its bytes as git holds them; NULL, or why there are none. */
const char *gh_read(const gh_file *file, gh_side side, gh_text *text);
const char *gh_read_bytes(const gh_file *file, gh_side side, gh_text *bytes);
/* Why a question to the host has no answer, in words. */
const char *gh_unreadable(const guardhost_guard_types_unreadable_t *why);
const char *gh_denied(const guardhost_guard_types_denied_t *why);
/* False when the change is judged without a task. */
bool gh_task_of_change(gh_task *task);
/* The commits that make the change, oldest first; none when no message is known. */
gh_commits gh_commits_of_change(void);
/* Unicode scalar values of UTF-8. */
size_t gh_characters(gh_text text);

/* Findings: an error rejects, warnings and notes are advice. Formats are those of printf; `rule` is kebab-case and stable. */
gh_finding *gh_error(gh_findings *findings, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
gh_finding *gh_warning(gh_findings *findings, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
gh_finding *gh_info(gh_findings *findings, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The file that is meant, and the line of the candidate's file (of the base's when it is deleted); 0: the whole file. */
void gh_at(gh_finding *finding, gh_text path, uint32_t line);
/* The last line, inclusive, of what begins at `gh_at`. */
void gh_to(gh_finding *finding, uint32_t end_line);
/* First column in the first line, and last column in the last one, from 1, counted in Unicode scalar values. */
void gh_columns(gh_finding *finding, uint32_t first, uint32_t last);
/* What to do instead, in words that a model can act on. */
void gh_help(gh_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A mechanical remedy, which the host may apply without asking the model. The edits are copied, the bytes that they point at are not. */
void gh_fix(gh_finding *finding, const char *title, const gh_edit *edits, size_t count);
/* Another place that explains this one: first and last line, and what is there. */
void gh_related(gh_finding *finding, gh_text path, uint32_t first, uint32_t last, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Anything else. A host ignores names that it does not know. */
void gh_attribute(gh_finding *finding, const char *name, const char *value);
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
