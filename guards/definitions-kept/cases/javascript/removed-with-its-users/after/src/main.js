import Table, { parse } from './csv.js';

console.log(parse('1,2'), Table);
