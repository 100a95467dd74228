/**
 * The same work, for each subject one run at a time: a call during a run makes it run once more
 * after it, so that the last result belongs to the last call. Gives what resolves when no run is
 * due any more, and rejects with what the last one failed with.
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
    const before = running.get(subject);
    if (before !== undefined) {
      before.isDueAgain = true;
      return before.done;
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
