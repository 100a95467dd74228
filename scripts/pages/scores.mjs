const categories = {
  performance: 'performance',
  accessibility: 'accessibility',
  practices: 'best-practices',
  seo: 'seo',
};
const tries = 3;

/** Returns the audits that cost a category most points, the costliest first. */
function reasonsOf({ categories: all, audits }, id) {
  const refs = all[id].auditRefs.filter(
    (ref) => ref.weight > 0 && audits[ref.id].score !== null && audits[ref.id].score < 1,
  );
  const lost = (ref) => ref.weight * (1 - audits[ref.id].score);
  return refs
    .sort((a, b) => lost(b) - lost(a))
    .slice(0, 4)
    .map(
      ({ id: audit }) =>
        `${audits[audit].title} (${audit})` +
        (audits[audit].displayValue ? `: ${audits[audit].displayValue}` : ''),
    );
}

async function runLighthouse(url, port, wanted) {
  const { default: lighthouse } = await import('lighthouse');
  const { lhr } = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'silent',
    onlyCategories: wanted.map(([, id]) => id),
  });
  const scores = Object.fromEntries(
    wanted.map(([name, id]) => [
      name,
      lhr.categories[id].score === null ? 0 : Math.round(lhr.categories[id].score * 100),
    ]),
  );
  const reasons =
    lhr.runtimeError === undefined
      ? wanted.flatMap(([, id]) => reasonsOf(lhr, id))
      : [lhr.runtimeError.message];
  return { scores, reasons };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Runs Lighthouse on a URL, in the browser that listens on `port`, with its defaults: mobile
 * emulation and simulated throttling. `without` names categories to skip. If a score is below
 * `goal`, the page is measured three times in total, and the medians count. Returns scores (0 to
 * 100), and the audits that cost points.
 */
export async function scoresOf(url, port, goal, without = []) {
  const wanted = Object.entries(categories).filter(([name]) => !without.includes(name));
  const runs = [await runLighthouse(url, port, wanted)];
  const isBelow = ({ scores }) => Object.values(scores).some((score) => score < goal);
  while (runs.length < tries && runs.some(isBelow))
    runs.push(await runLighthouse(url, port, wanted));
  const scores = Object.fromEntries(
    wanted.map(([name]) => [name, median(runs.map((run) => run.scores[name]))]),
  );
  return { scores, reasons: runs.at(-1).reasons, runs: runs.length };
}
