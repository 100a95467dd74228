import { type FieldName, fields, type Shown } from './pages.ts';

/** What was entered, as the form shows it again. */
export function shownOf(body: unknown): Shown {
  if (typeof body !== 'object' || body === null) return {};
  const entered = new Map<string, unknown>(Object.entries(body));
  const text = (value: unknown): string =>
    typeof value === 'string' ? value.slice(0, 1024) : value === true ? 'true' : '';
  return Object.fromEntries(
    fields.map((name): [FieldName, string] => [name, text(entered.get(name))]),
  );
}

/** The fields of a form as JSON would have them: what was left empty is left out, and a box that was ticked is true. */
export function asJson(form: unknown): unknown {
  if (typeof form !== 'object' || form === null) return {};
  const entered = Object.entries(form).filter(([name, value]) => name === 'email' || value !== '');
  return Object.fromEntries(
    entered.map(([name, value]): [string, unknown] => [
      name,
      name === 'consent' && ['true', 'on'].includes(String(value)) ? true : value,
    ]),
  );
}
