// Counts votes.
struct Sample {
    let names = "one  two // three"
    let page = """
        first  line

        // not a comment
        """

    let raw = #"""
        first  line

        // not a comment "\(none)"
        """#
    let shown = """
        \("a".count) first  line

        // not a comment
        """

    /* A vote
       counts once. */
    func count(_ votes: [String]) -> Int {
        var total = 0 // none yet
        for vote in votes where !vote.isEmpty {
            total += 1
        }
        return total   +   names.count - page.count
    }
}
