function open(): Record<string, string | undefined> {
  try {
    return localStorage;
  } catch {
    return {};
  }
}

/** What is stored for this origin. Where that is not allowed it lasts as long as the page. */
export const store = open();
