const membersOf = (body: unknown): [string, unknown][] =>
  typeof body === 'object' && body !== null ? Object.entries(body) : [];

function textOf(value: unknown, maxLength: number): string {
  if (typeof value === 'string') return value.slice(0, maxLength);
  return value === true ? 'true' : '';
}

/**
 * Returns what was entered in the fields of a form, to show it again. Longer texts than `maxLength`
 * are cut; a checkbox that is on is `true`.
 */
export function enteredTexts<Name extends string>(
  body: unknown,
  fields: readonly Name[],
  maxLength = 1024,
): Partial<Record<Name, string>> {
  const entered = new Map(membersOf(body));
  const texts: Partial<Record<Name, string>> = {};
  for (const name of fields) texts[name] = textOf(entered.get(name), maxLength);
  return texts;
}

export interface FormMembers {
  /** Fields that stay when they are empty, so that the error names them. */
  required: readonly string[];
  /** Checkboxes, which become booleans. */
  checkboxes?: readonly string[];
}

/** Converts the fields of a form to the members of a JSON body. Browsers also send empty fields. */
export const formToJson = (
  form: unknown,
  { required, checkboxes = [] }: FormMembers,
): Record<string, unknown> =>
  Object.fromEntries(
    membersOf(form)
      .filter(([name, value]) => required.includes(name) || value !== '')
      .map(([name, value]) => [
        name,
        checkboxes.includes(name) && ['true', 'on'].includes(String(value)) ? true : value,
      ]),
  );
