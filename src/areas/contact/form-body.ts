import { enteredTexts, formToJson } from '../../lib/form-values.ts';
import { fields, type Shown } from './pages.tsx';

/** Longer texts are refused, and need not come back whole. */
const maxShown = 20_000;

/** The entered values, for the form that is shown again. */
export const enteredValues = (body: unknown): Shown => enteredTexts(body, fields, maxShown);

/** The signed time of the form. */
export const enteredTime = (body: unknown): string =>
  enteredTexts(body, ['form'], maxShown).form ?? '';

/** Converts the form to the JSON body. */
export function contactFormToJson(form: unknown): Record<string, unknown> {
  const body = formToJson(form, { required: ['name', 'email', 'message'] });
  // Browsers send line breaks as CR LF, each of which `maxlength` counts once.
  for (const [name, value] of Object.entries(body))
    if (typeof value === 'string') body[name] = value.replaceAll('\r\n', '\n');
  return body;
}
