/* Counts votes
   of a ballot. */
#include <stdio.h>

#define LIMIT(x)  ((x) + \
    1)
#define NAMES "one  two // three"

// A vote counts once.
static int count(const char *votes, int length)
{
    int total = 0; // none yet
    for (int i = 0; i < length; i++) {
        /* the next one */
        if (votes[i] == '"')
            total++;
    }
    printf("first  line /* no comment */ %d", total);
    return total   -   LIMIT(length);
}
