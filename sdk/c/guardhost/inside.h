/* What the files of this folder share; not for authors. */
#ifndef GUARDHOST_INSIDE_H
#define GUARDHOST_INSIDE_H

#include "guard.h"

/* A place in a file, and what is there; or the name and the value of an attribute. */
typedef struct gh_note {
    struct gh_note *next;
    gh_text first, second;
    uint32_t line, end_line;
} gh_note;

struct gh_finding {
    gh_finding *next;
    uint8_t severity;
    gh_text rule, message;
    gh_text path, help, fix; /* a null pointer: there is none */
    uint32_t line, end_line, column, end_column; /* 0: there is none */
    guardhost_guard_report_list_edit_t edits;
    gh_note *related, *attributes; /* in order */
};

struct gh_findings {
    gh_finding *first, **end;
    size_t count;
    bool rejects;
    const char *not_applicable;
};

/* Zeroed memory; a trap when there is none. */
void *gh_room(size_t count, size_t size);
char *gh_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A copy on the heap. */
gh_text gh_copy(gh_text text);
gh_text gh_copied(const char *text);

#endif
