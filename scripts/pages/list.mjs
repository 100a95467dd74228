const bundles = (what) =>
  `${what} is an application of its own, opened on purpose; the goal of pages does not fit it`;

/**
 * The public pages. `scores: false` skips Lighthouse. `exempt` names goals that do not apply, with
 * the reason. Not listed: pages that need a session or a token (/account, /signup/confirm, …), and
 * /geoip-test, which is JSON.
 */
const known = [
  { path: '/' },
  { path: '/install' },
  { path: '/docs' },
  { path: '/privacy' },
  { path: '/terms' },
  { path: '/data-policy' },
  { path: '/cmyk/' },
  { path: '/cmyk/docs/' },
  { path: '/signup' },
  { path: '/login' },
  { path: '/status' },
  { path: '/status/history' },
  { path: '/demo/deliverability/' },
  { path: '/developer/' },
  { path: '/developer/guides/sign-in' },
  { path: '/developer/reference' },
  { path: '/developer/errors' },
  { path: '/developer/changelog' },
  {
    path: '/api/graphql/',
    scores: false,
    exempt: { size: bundles('GraphiQL (React and an editor)') },
  },
  {
    path: '/api/graphql/voyager/',
    scores: false,
    exempt: { size: bundles('Voyager (it draws the schema as a graph)') },
  },
  { path: '/api/docs', scores: false, exempt: { size: bundles('Swagger UI') } },
];

/** Returns the listed page with this path, or an unlisted one. */
export const pageOf = (path) => known.find((page) => page.path === path) ?? { path };

/** Returns all listed pages and the longest page of the reference. */
export async function allPages(origin) {
  const reference = await (await fetch(`${origin}/developer/reference`)).text();
  const tags = [
    ...new Set(
      [...reference.matchAll(/href="(\/developer\/reference\/[^"#]+)"/g)].map(([, path]) => path),
    ),
  ];
  const lengths = await Promise.all(
    tags.map(async (path) => ({
      path,
      length: (await (await fetch(origin + path)).text()).length,
    })),
  );
  const [longest] = lengths.sort((a, b) => b.length - a.length);
  const at = known.findIndex(({ path }) => path === '/developer/reference') + 1;
  return longest === undefined ? known : known.toSpliced(at, 0, { path: longest.path });
}
