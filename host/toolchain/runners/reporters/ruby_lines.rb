# Counts which lines of the tree run, with Ruby's own coverage, and whatever comments leave out.
require "json"

file = ENV.delete("GUARDHOST_COVERAGE")
if file
  require "coverage"
  tree, process = Dir.pwd, Process.pid
  Coverage.start
  # The first that is registered is the last that runs, behind the tests.
  at_exit do
    # A test may fork: a copy of this process writes nothing.
    next unless Process.pid == process
    told = begin
      counted = Coverage.peek_result.select { |path, _| path.start_with?("#{tree}/") }
      files = counted.transform_values do |lines|
        numbered = (lines.is_a?(Hash) ? lines[:lines] : lines).each_with_index.map { |count, at| [count, at + 1] }
        run, rest = numbered.select(&:first).partition { |count, _| count > 0 }
        { run: run.map(&:last), not_run: rest.map(&:last) }
      end
      { files: files }
    rescue StandardError => error # The tests may end the counting, or begin another.
      { not_known: "Ruby's coverage was stopped by the tests: #{error.message}" }
    end
    File.write(file, JSON.generate(told))
  end
end
