import { tally } from "./count.js";

function rowOf(name, count) {
  const row = document.createElement("li");
  row.textContent = `${name}: ${count}`;
  row.title = name;
  return row;
}

export function showVotes(text, list) {
  const votes = tally(text.split("\n"));
  list.replaceChildren();
  for (const [name, count] of votes) {
    list.append(rowOf(name, count));
  }
}
