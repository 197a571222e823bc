export const format = (numbers) => {
  return numbers.join(',');
};
