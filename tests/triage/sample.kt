package votes

// Counts votes.
class Sample(private val names: List<String>) {
    private val page = """
        first  line

        // not a comment
    """
    private val shown = """${names.size} first  line

        // not a comment ${"a"}"""
    private val quoted = "one  two // three"

    /* A vote
       counts once. */
    fun count(votes: List<String>): Int {
        var total = 0 // none yet
        for (vote in votes) {
            total += if (vote.isEmpty()) 0 else 1
        }
        return total   +   names.size + page.length - quoted.length
    }
}
