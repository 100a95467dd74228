/** Makes GraphiQL as high as the window, which its own style sheet leaves to the page. */
export const graphiqlStyle = `html, body, .graphiql-place { height: 100%; margin: 0; }
body { overflow: hidden; font-family: system-ui, sans-serif; }
`;

/** Gives the graph a height, and lets tables scroll sideways in narrow windows. */
export const voyagerStyle = `#voyager {
  position: relative; height: 75vh; min-height: 26rem; margin: 0 0 2rem; overflow: hidden;
  color: #1a1c1f; background: #ffffff;
  border: 1px solid var(--line); border-radius: var(--radius);
}
#voyager[hidden] { display: none; }
main.wide, body:has(main.wide) header { max-width: 76rem; }
.schema { overflow-x: auto; }
.graphql-voyager .doc-navigation { box-sizing: content-box; }
.schema table { width: 100%; margin: 0 0 1rem; border-collapse: collapse; }
.schema th, .schema td {
  padding: .35rem .75rem .35rem 0;
  text-align: left; vertical-align: top; border-top: 1px solid var(--line);
}
.schema td code, .schema th code { overflow-wrap: anywhere; font-size: .95rem; }
.schema thead th { white-space: nowrap; }
.schema th { width: 25%; }
.schema td:nth-of-type(1):not(:last-child) { width: 25%; }
.schema ul { margin: .25rem 0 0; padding: 0 0 0 1rem; }
@media (max-width: 40rem) {
  .schema tr, .schema th, .schema td:nth-of-type(1):not(:last-child) { width: auto; }
  .schema tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  .schema th, .schema td { display: block; padding: 0; border: 0; }
  .schema thead { position: absolute; clip-path: inset(50%); }
}
`;
