import a from './a.json' with { type: 'json' };
export default await a;
class A { #x = 1; static { } get y() { return this.#x ?? 2 ** 3; } }
