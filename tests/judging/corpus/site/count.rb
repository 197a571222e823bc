def clean(name)
  name.split.join(" ")
end

def tally(names)
  names.map { |name| clean(name) }.reject(&:empty?).tally
end
