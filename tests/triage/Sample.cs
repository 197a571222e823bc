using System;

namespace Votes
{
    // Counts votes.
    public class Sample
    {
        private const string Names = "one  two // three";
        private const string Page = @"first  line

        // not a comment
        ";

        private const string Raw = """
            first  line

            // not a comment
            """;
        private string Shown = $@"{Names}first  line

        // not a comment {Names}";

        /* A vote
           counts once. */
        public int Count(string[] votes)
        {
            int total = 0; // none yet
            foreach (var vote in votes)
            {
                total += vote.Length > 0 ? 1 : 0;
            }
            return total   -   Names.Length + Page.Length;
        }
    }
}
