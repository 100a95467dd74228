type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The same with names as GraphQL writes them: `created_at` is `createdAt`. */
export type CamelCased<Value> = Value extends readonly (infer Entry)[]
  ? CamelCased<Entry>[]
  : Value extends object
    ? { [Name in keyof Value as Name extends string ? Camel<Name> : Name]: CamelCased<Value[Name]> }
    : Value;

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      renamed(each),
    ]),
  );
}

/** A view of the REST API, names and all that is in it, as the schema has it. Values that stand for keys must not be in it. */
export const inCamelCase = <Value>(value: Value): CamelCased<Value> =>
  renamed(value) as CamelCased<Value>;
