import x from 'unknown';
export default x;
