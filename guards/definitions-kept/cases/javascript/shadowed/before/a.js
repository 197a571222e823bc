function count(x) { return x.length }
export function run(count) { return count(1) }
export const y = count([1])
