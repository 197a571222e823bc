const a = <p>x</p>;
