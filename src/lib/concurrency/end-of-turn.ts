/**
 * Returns a function whose promise resolves at the end of the current turn of the event loop, after
 * all pending reads. Calls in one turn share the promise. Responses that are written together then
 * wake the peer only once; written one by one, they cost three times as much.
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
