/**
 * Makes a function that does pieces of work in the order in which they come, in each turn of the
 * event loop only as many as fit into `budgetMs` and one more: what is small and comes in between
 * is not kept waiting by all that is large. It takes the work, whose part up to its first `await`
 * counts, and gives its result.
 */
export function createPacedQueue(budgetMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let used = 0;
  let isTurnScheduled = false;

  function scheduleTurn(): void {
    if (isTurnScheduled) return;
    isTurnScheduled = true;
    setImmediate(() => {
      isTurnScheduled = false;
      used = 0;
      drain();
    });
  }

  function drain(): void {
    while (used < budgetMs) {
      const next = waiting.shift();
      if (next === undefined) break;
      const began = performance.now();
      next();
      used += performance.now() - began;
    }
    if (used > 0 || waiting.length > 0) scheduleTurn();
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void work().then(resolve, reject));
      drain();
    });
}
