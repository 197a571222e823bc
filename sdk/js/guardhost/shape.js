// The shapes of plain data that the contract takes. The engine ends a guard without a word when a value has another type; here each
// mistake is an error that names the property.

const kind = (value) => {
  if (value === null || value === undefined) return `${value}`;
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise (a guard cannot wait: it has no clock and no network)";
  if (typeof value === "object" || typeof value === "function") return `${/^[aeiou]/.test(typeof value) ? "an" : "a"} ${typeof value}`;
  return `the ${typeof value} ${JSON.stringify(value) ?? String(value)}`;
};

export function refuse(where, wanted, value) {
  throw new TypeError(`${where} must be ${wanted}, and is ${kind(value)}`);
}

/** Half a surrogate pair is no character, and becomes U+FFFD. */
export const text = (value, where) => (typeof value === "string" ? value.toWellFormed() : refuse(where, "a string", value));

const whole = (least, most) => (value, where) =>
  Number.isInteger(value) && value >= least && value <= most ? value : refuse(where, `a whole number from ${least}`, value);
/** Lines and columns. */
export const ordinal = whole(1, 0xffff_ffff);
/** Offsets in bytes. */
export const offset = whole(0, Number.MAX_SAFE_INTEGER);

export const bytes = (value, where) => (value instanceof Uint8Array ? value : refuse(where, "a Uint8Array", value));

export const oneOf = (...words) => (value, where) =>
  words.includes(value) ? value : refuse(where, `one of ${words.map((word) => `"${word}"`).join(", ")}`, value);

export const optional = (shape) => (value, where) => (value === undefined || value === null ? undefined : shape(value, where));

export const list = (shape) => (value, where) =>
  Array.isArray(value) ? value.map((element, index) => shape(element, `${where}[${index}]`)) : refuse(where, "a list", value);

export const listOfTexts = list(text);

export function textsByName(value, where) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(where, "an object of strings", value);
  return Object.fromEntries(Object.entries(value).map(([name, element]) => [name, text(element, `${where}.${name}`)]));
}

/** An object with these properties and no others. */
export function fields(value, where, shapes) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuse(where, "an object", value);
  const known = Object.keys(shapes);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${where} has no property \`${unknown}\`; it may have: ${known.join(", ")}`);
  return Object.fromEntries(known.map((name) => [name, shapes[name](value[name], `${where}.${name}`)]));
}
