/** Upper limits of a request. Not in `query-cost.ts`, because that file loads graphql-js. */
export const limits = {
  /** Characters of a document. */
  length: 16_000,
  tokens: 1000,
  depth: 12,
  introspectionDepth: 20,
  aliases: 30,
  /** Characters of an alias. */
  aliasLength: 100,
  fields: 500,
  cost: 15_000,
  /** Operations of a batch. */
  batch: 10,
} as const;
