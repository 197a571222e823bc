module.exports = {
  preset: 'ts-jester',
  testEnvironment: 'jsdom',
  transform: { '\\.ts$': ['@swc/jest', {}], '\\.x$': '<rootDir>/x.js' },
};
