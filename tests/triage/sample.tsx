// The list of votes.
export function List(props: { votes: string[] }) {
  const none = "no  votes";
  return (
    <ul className="a  b" title="first  line

      // not a comment">
      {/* one row a vote */}
      {props.votes.map((vote) => (
        <li key={vote}>
          first  line

          // shown {vote}
        </li>
      ))}
      {none}
    </ul>
  );
}
