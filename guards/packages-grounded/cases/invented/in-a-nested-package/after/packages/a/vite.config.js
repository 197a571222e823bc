import x from 'only-b';
export default x;
