import { type FieldName, fields, type Shown } from './pages.tsx';

/** The entered values, for the form that is shown again. */
export function enteredValues(body: unknown): Shown {
  if (typeof body !== 'object' || body === null) return {};
  const entered = new Map<string, unknown>(Object.entries(body));
  const text = (value: unknown): string =>
    typeof value === 'string' ? value.slice(0, 1024) : value === true ? 'true' : '';
  return Object.fromEntries(
    fields.map((name): [FieldName, string] => [name, text(entered.get(name))]),
  );
}

/** Converts form fields to the JSON body: drops empty ones, makes the checkbox a boolean. */
export function formToJson(form: unknown): unknown {
  if (typeof form !== 'object' || form === null) return {};
  const entered = Object.entries(form).filter(([name, value]) => name === 'email' || value !== '');
  return Object.fromEntries(
    entered.map(([name, value]): [string, unknown] => [
      name,
      name === 'consent' && ['true', 'on'].includes(String(value)) ? true : value,
    ]),
  );
}
