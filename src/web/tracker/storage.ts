function open(): Record<string, string | undefined> {
  try {
    return localStorage;
  } catch {
    return {};
  }
}

/** The local storage. If access to it is denied, an object that lasts as long as the page. */
export const store = open();
