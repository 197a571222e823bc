# frozen_string_literal: true

require "set"

# Counts votes.
class Sample
  NAMES = %w[one  two # three]
  PAGE = <<~TEXT
    first  line

    # not a comment
  TEXT

  RAW = %q(first  line

    # not a comment
  )
  OTHER = <<-'TEXT'
    first  line

    # not a comment
    TEXT
  SHOWN = "first  line

    # not a comment #{NAMES.size}"

  # A vote counts once.
  def count(votes, limit = 10)
    total = votes.uniq.size # no more
    pattern = /a  b/x

    puts "one  #{total}  two" if total > limit
    total -1
    puts [total]
    pattern
  end
end
