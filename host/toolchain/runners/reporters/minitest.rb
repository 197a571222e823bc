# Runs Minitest's tests and reports them as TAP. Arguments: the report's file, and the files of tests; all below `test/` without any.
require_relative "ruby_lines"
require "minitest"

report = File.open(ARGV.shift, "w")
files = ARGV.empty? ? Dir["test/**/{test_*,*_test,*_spec}.rb"].sort : ARGV.dup
ARGV.clear

class GuardhostReporter < Minitest::AbstractReporter
  def initialize(report)
    super()
    @report = report
    @number = 0
    @failed = false
    @report.puts "TAP version 13"
  end

  # By now all files are loaded.
  def start
    super
    specs = defined?(Minitest::Spec) ? Minitest::Runnable.runnables.select { |tests| tests < Minitest::Spec } : []
    @specs = specs.map(&:name)
  end

  # The name of a spec begins with its number in the file, which would make another test of it whenever one is written before it.
  def name(result)
    @specs.include?(result.klass) ? result.name.sub(/\Atest_\d+_/, "") : result.name
  end

  def record(result)
    file = result.source_location.first.to_s.delete_prefix("#{Dir.pwd}/")
    failed = !result.passed? && !result.skipped?
    line(failed, "#{file} > #{result.klass} > #{name(result)}#{" # SKIP" if result.skipped?}", result.failures.map(&:message))
  end

  def line(failed, name, details)
    @number += 1
    @failed ||= failed
    @report.puts "#{failed ? "not ok" : "ok"} #{@number} - #{name.gsub("\n", " ")}"
    details.each { |detail| detail.each_line { |text| @report.puts "# #{text.chomp}" } } if failed
  end

  def report
    @report.puts "1..#{@number}"
    @report.close
  end

  def passed?
    !@failed
  end
end

reporter = GuardhostReporter.new(report)
# A test file usually asks for its own run at the end of the process.
Minitest.define_singleton_method(:autorun) {}
files.each do |file|
  require File.expand_path(file)
rescue Exception => error # What keeps a file from being loaded is a result, whatever it is.
  reporter.line(true, file, ["#{error.class}: #{error.message}"])
end
reporter.start
Minitest.__run(reporter, { io: $stderr, seed: 1 }.tap { |_| srand(1); Minitest.seed = 1 if Minitest.respond_to?(:seed=) })
reporter.report
exit reporter.passed? ? 0 : 1
