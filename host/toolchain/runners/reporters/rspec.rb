# Reports RSpec's examples as TAP.
require_relative "ruby_lines"
require "rspec/core/formatters/base_formatter"

class GuardhostTap < RSpec::Core::Formatters::BaseFormatter
  RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending, :message, :stop

  # Files that cannot be loaded are told of before the first example.
  def initialize(output)
    super
    @number = 0
    output.puts "TAP version 13"
  end

  def example_passed(notification)
    line("ok", notification.example)
  end

  def example_pending(notification)
    line("ok", notification.example, " # SKIP")
  end

  def example_failed(notification)
    line("not ok", notification.example)
    notification.message_lines.each { |text| output.puts "# #{text.gsub("\n", " ")}" }
  end

  # A file that cannot be loaded has no examples.
  def message(notification)
    file = notification.message[/An error occurred while loading (?:\.\/)?(\S+?)\.(?=\s|$)/, 1]
    return unless file
    @number += 1
    output.puts "not ok #{@number} - #{file}"
    notification.message.each_line { |text| output.puts "# #{text.chomp}" }
  end

  def stop(_)
    output.puts "1..#{@number}"
    output.flush
  end

  private

  def line(result, example, directive = "")
    @number += 1
    file = example.metadata[:file_path].delete_prefix("./")
    output.puts "#{result} #{@number} - #{file} > #{example.full_description.gsub("\n", " ")}#{directive}"
  end
end
