/* What the files of this folder share; not for authors. */
#ifndef GUARDHOST_INSIDE_H
#define GUARDHOST_INSIDE_H

#include "guard.h"

struct gh_findings {
    guardhost_guard_types_list_finding_t list;
    size_t room;
    bool rejects;
    const char *not_applicable;
};

gh_change gh_change_now(void);
/* Zeroed memory; a trap when there is none. */
void *gh_room(size_t count, size_t size);
char *gh_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A copy on the heap: what is handed to the host is freed after the call. */
gh_text gh_owned(const char *text);

#endif
