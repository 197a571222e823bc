// @flow
type A = {| +a: ?string |};
function f(x: A): %checks { return !!x; }
