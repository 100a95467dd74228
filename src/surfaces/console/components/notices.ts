/** Sentences of notices, by the value of `done` in addresses. */
type Sentences = Readonly<Partial<Record<string, string>>>;

/** Undefined for unknown names. They come from URLs, so `constructor` must not match. */
export const sentenceOf = (sentences: Sentences, done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
