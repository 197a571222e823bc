import { useState } from "react";

export function Hello({ name }) {
  ... rest of the code ...
  const [n, setN] = useState(0);
  return <b style={{ color: "red" }} onClick={() => setN(n + 1)}>{`hi ${name ? `${n}` : /[`/]/}`}</b>;
}
