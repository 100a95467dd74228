/**
 * Returns a function that runs tasks in order, in each turn of the event loop only until `budgetMs`
 * is used up, so that small requests in between are not delayed by large ones. Only the part of a
 * task before its first `await` counts. The function returns the task's result.
 */
export function createPacedQueue(budgetMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let usedMs = 0;
  let isTurnScheduled = false;

  function scheduleTurn(): void {
    if (isTurnScheduled) return;
    isTurnScheduled = true;
    setImmediate(() => {
      isTurnScheduled = false;
      usedMs = 0;
      drain();
    });
  }

  function drain(): void {
    while (usedMs < budgetMs) {
      const next = waiting.shift();
      if (next === undefined) break;
      const startedAt = performance.now();
      next();
      usedMs += performance.now() - startedAt;
    }
    if (usedMs > 0 || waiting.length > 0) scheduleTurn();
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void work().then(resolve, reject));
      drain();
    });
}
