import Table, { format, parse } from './csv.js';

console.log(format(parse('1,2')), Table);
