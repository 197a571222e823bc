export const App = () => (
  <main>
    <h1>New title</h1>
    {/* ... existing code ... */}
  </main>
);
