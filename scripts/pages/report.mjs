/** `size`: which of the sizes counts. */
export const goal = { score: 98, bytes: 60 * 1024, size: 'all' };
const columns = [
  'page',
  'performance',
  'accessibility',
  'practices',
  'SEO',
  'KB',
  'gz',
  'document',
  'CSS',
  'JS',
  'images',
  'fonts',
  'other',
  'requests',
  'outside',
  'policy',
  'result',
];

/** Returns the goals that a page misses, and missed ones from which it is exempt. */
export function judge({ exempt = {} }, loaded, rated, { score: least, bytes, size } = goal) {
  const checks = {
    ...Object.fromEntries(
      Object.entries(rated?.scores ?? {}).map(([name, score]) => [name, score >= least]),
    ),
    size: loaded.sizes[size] <= bytes,
    outside: loaded.outside.length === 0,
    policy: loaded.isStrict,
    console: loaded.complaints.length === 0,
  };
  const failed = Object.entries(checks)
    .filter(([, isMet]) => !isMet)
    .map(([name]) => name);
  return {
    missed: failed.filter((name) => exempt[name] === undefined),
    excused: failed.filter((name) => exempt[name] !== undefined),
  };
}

const kb = (bytes = 0) => (bytes === 0 ? '-' : (bytes / 1024).toFixed(1));

function row({ page, loaded: { sizes, requests, outside, isStrict }, rated, missed, excused }) {
  const {
    performance = '-',
    accessibility = '-',
    practices = '-',
    seo = '-',
  } = rated?.scores ?? {};
  const verdict =
    missed.length > 0
      ? `MISSED: ${missed.join(', ')}`
      : excused.length > 0
        ? `met, except for ${excused.join(', ')}`
        : 'met';
  const files = [sizes.document, sizes.css, sizes.js, sizes.images, sizes.fonts, sizes.other].map(
    kb,
  );
  return [
    page.path,
    performance,
    accessibility,
    practices,
    seo,
    kb(sizes.all),
    kb(sizes.packed),
    ...files,
    requests,
    outside.length,
    isStrict ? 'strict' : 'loose',
    verdict,
  ].map(String);
}

/** Prints the table, why exempt goals do not apply, and the causes of missed ones. */
export function print(results, { score, bytes, size } = goal) {
  const rows = [columns, ...results.map(row)];
  const widths = columns.map((_, at) => Math.max(...rows.map((each) => each[at].length)));
  const line = (cells) =>
    cells
      .map((cell, at) =>
        at === 0 || at > 14 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]),
      )
      .join('  ')
      .trimEnd();
  console.log(
    `\nLighthouse: mobile emulation, simulated throttling; goal ${score} in each category. ` +
      'Sizes: KB on the wire with the headers of answers, an empty cache; "gz": ' +
      'if the document were gzipped, too, which personal pages are not; ' +
      `goal ${bytes / 1024}${size === 'packed' ? ' of gz' : ''}.\n`,
  );
  console.log(
    [
      line(rows[0]),
      widths.map((width) => '-'.repeat(width)).join('  '),
      ...rows.slice(1).map(line),
    ].join('\n'),
  );
  for (const { page, excused } of results)
    for (const name of excused)
      console.log(`\n${page.path}: the goal "${name}" does not apply. ${page.exempt[name]}.`);
  for (const { page, missed, rated, loaded } of results.filter((each) => each.missed.length > 0)) {
    const reasons = [...(rated?.reasons ?? []), ...loaded.outside, ...loaded.complaints];
    console.log([`\n${page.path} misses ${missed.join(', ')}:`, ...reasons].join('\n  '));
  }
}
