import x from 'provided';
export default x;
