enum A { B }
let x = <any>y;
abstract class C<T extends keyof U> { constructor(private readonly a: string, b?: T) {} }
type P = { [K in keyof T as `x${K}`]?: T[K] } & (() => void);
const z = { a } satisfies P;
