package votes;

import java.util.List;

/** Counts votes. */
public class Sample {
    // The first names.
    private static final String NAMES = "one  two // three";
    private static final String PAGE = """
        first  line

        /* not a comment */
        """;
    private static final String OTHER = """
        "first  line

        // not a comment\""" """;
    private static final char MARK = '"';

    @SuppressWarnings("unused") // in tests
    public int count(List<String> votes) {
        int total = 0;
        for (String vote : votes) {
            /* A vote counts
             * once. */
            if (!vote.isEmpty()) {
                total++;
            }
        }
        return total   -   1; // the first is none
    }
}
