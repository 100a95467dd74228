/**
 * Returns how many rounds a random test runs: the usual number, or the whole one in
 * `npm test -- --exhaustive`.
 */
export const rounds = (usual: number, whole: number): number =>
  process.env.TEST_EXHAUSTIVE === '1' ? whole : usual;
