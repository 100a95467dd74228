import { type FieldName, fields, type Shown } from './pages.tsx';

/** Longer texts are refused, and need not come back whole. */
const maxShown = 20_000;

const membersOf = (body: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : []);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxShown) : '';

/** The entered values, for the form that is shown again. */
export function enteredValues(body: unknown): Shown {
  const entered = membersOf(body);
  return Object.fromEntries(
    fields.map((name): [FieldName, string] => [name, textOf(entered.get(name))]),
  );
}

/** The signed time of the form. */
export const enteredTime = (body: unknown): string => textOf(membersOf(body).get('form'));

/** Converts form fields to the JSON body: browsers send the empty ones too. */
export const formToJson = (form: unknown): unknown =>
  Object.fromEntries(
    [...membersOf(form)]
      .filter(([name, value]) => ['name', 'email', 'message'].includes(name) || value !== '')
      // Browsers send line breaks as CR LF, each of which `maxlength` counts once.
      .map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value,
      ]),
  );
