export { format as formatCsv } from './csv';
