export function clean(name) {
  const words = name.split(" ");
  const kept = words.filter((word) => word !== "");
  return kept.join(" ");
}

export function tally(names) {
  const votes = new Map();
  for (const name of names.map(clean)) {
    if (name !== "") {
      votes.set(name, (votes.get(name) ?? 0) + 1);
    }
  }
  return votes;
}
