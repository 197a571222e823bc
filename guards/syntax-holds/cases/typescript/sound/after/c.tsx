const f = <T,>(x: T) => <a b={x} />;
