/* Counts votes
   of a ballot. */
#include <stdio.h>

#define LIMIT(x)  ((x) + \
    1)
#define NAMES "one  two // three"
static const char *page = R"x(first  line

// no comment )" )x";

// A vote counts once.
template <typename T>
static int count(const T *votes, int length)
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
