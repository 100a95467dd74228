/**
 * Makes a function whose promise resolves when everything that was read in this turn of the event
 * loop has been dealt with; all who ask in one turn share it. Answers that are written together
 * there wake the other side once: written one by one they cost three times as much, because each
 * one wakes a reader who has just gone to sleep.
 */
export function createEndOfTurn(): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () =>
    (end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    }));
}
