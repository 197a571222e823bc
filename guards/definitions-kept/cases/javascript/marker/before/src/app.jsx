export const App = () => (
  <main>
    <h1>Title</h1>
    <p>One</p>
    <p>Two</p>
  </main>
);
