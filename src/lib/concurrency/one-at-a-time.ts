/**
 * Wraps `work` so that only one run per subject is active. Calls during a run cause one further run
 * after it, so that the last run sees the latest state. The promise resolves when no run is due any
 * more, and rejects with the error of the last run.
 */
export function oneAtATime<Subject extends object>(
  work: (subject: Subject) => Promise<void>,
): (subject: Subject) => Promise<void> {
  const running = new WeakMap<Subject, { isDueAgain: boolean; done: Promise<void> }>();

  async function run(subject: Subject, isDue: () => boolean): Promise<void> {
    while (isDue()) {
      await work(subject).catch((error: unknown) => {
        if (running.get(subject)?.isDueAgain !== true) throw error;
      });
    }
  }

  return (subject) => {
    const active = running.get(subject);
    if (active !== undefined) {
      active.isDueAgain = true;
      return active.done;
    }
    const state = { isDueAgain: true, done: Promise.resolve() };
    const isDue = () => {
      const due = state.isDueAgain;
      state.isDueAgain = false;
      return due;
    };
    running.set(subject, state);
    state.done = run(subject, isDue).finally(() => running.delete(subject));
    return state.done;
  };
}
