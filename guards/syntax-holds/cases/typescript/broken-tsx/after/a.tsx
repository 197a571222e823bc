const a = <p>x</b>;
