export function run(count) { return count(1) }
export const y = [1].length
