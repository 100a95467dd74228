interface Closable {
  close: () => Promise<void>;
}

const open = new Set<Closable>();

/** Closes an app after the test file, unless the file has closed it. */
export function closeAfterFile<T extends Closable>(app: T): T {
  const { close } = app;
  app.close = () => {
    open.delete(app);
    return close();
  };
  open.add(app);
  return app;
}

/** Closes the apps that the file has left open. */
export async function closeOpenApps(): Promise<void> {
  await Promise.all([...open].map((app) => app.close()));
}
