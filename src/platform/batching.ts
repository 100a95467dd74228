/**
 * Makes a function that writes items, those that come while a write is under way together with the next one: many
 * callers share a round trip, and one alone waits for nobody. Its promise settles as the write of its item does.
 */
export function createBatching<Item>(write: (items: readonly Item[]) => Promise<void>, most = 200): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isWriting = false;

  async function run(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await write(batch.map(({ item }) => item)).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
    }
    isWriting = false;
  }

  return (item) => new Promise((resolve, reject) => {
    waiting.push({ item, resolve, reject });
    if (!isWriting) void run();
  });
}
