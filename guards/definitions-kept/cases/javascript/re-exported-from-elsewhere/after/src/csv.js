export { format } from './format.js';

export function parse(text) {
  const parts = text.split(',');
  return parts.map(Number);
}

export default class Table {
  #rows = [];

  add(text) {
    this.#rows.push(this.read(text));
  }

  read(text) {
    return parse(text);
  }
}
