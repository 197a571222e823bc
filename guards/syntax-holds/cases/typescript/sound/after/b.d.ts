declare module 'x' { export const a: number; }
export declare function f(): asserts this is string;
export const y: number;
