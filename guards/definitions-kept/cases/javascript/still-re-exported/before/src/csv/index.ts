export function parse(text) {
  const parts = text.split(',');
  return parts.map(Number);
}

export const format = (numbers) => {
  return numbers.join(',');
};

export default class Table {
  #rows = [];

  add(text) {
    this.#rows.push(this.read(text));
  }

  read(text) {
    return parse(text);
  }
}
