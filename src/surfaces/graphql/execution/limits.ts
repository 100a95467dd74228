/** The most of everything that a request may have. Apart from what counts, which is read only when somebody asks. */
export const limits = {
  length: 16_000,
  tokens: 1000,
  depth: 12,
  introspectionDepth: 20,
  aliases: 30,
  aliasLength: 100,
  fields: 500,
  cost: 15_000,
  batch: 10,
} as const;
