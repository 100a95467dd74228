/** A host with a dot in it, and what may follow: `cafe.example/menu`. */
const looksLikeHost = /^[^\s/:?#@\\]+\.[^\s/:?#@\\.]+(?::\d{1,5})?(?:[/?#]|$)/;

/**
 * A web address as people type it, with the scheme that they leave out: `https://cafe.example/menu`
 * for `cafe.example/menu`. Anything else stays as it is, for others to judge.
 */
export function typedUrl(text: string): string {
  const typed = text.trim();
  return looksLikeHost.test(typed) ? `https://${typed}` : typed;
}
