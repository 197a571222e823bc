import { useState } from "react";

export function Hello({ name }) {
  const [n, setN] = useState(0);
  return <b style={{ color: "red" }} onClick={() => setN(n + 1)}>{`hi ${name ? `${n}` : /[`/]/}`}</b>;
