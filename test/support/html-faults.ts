import { HtmlValidate, type RuleConfig } from 'html-validate/node';

/** By their exceptions: building one reads its rules, which takes longer than checking a page. */
const validators = new Map<string, HtmlValidate>();

/**
 * Returns the errors of html-validate's recommended rules in a page, one per line. `exceptions` are
 * settings of rules.
 */
export async function htmlFaults(page: string, exceptions: RuleConfig = {}): Promise<string[]> {
  const key = JSON.stringify(exceptions);
  const validator =
    validators.get(key) ??
    new HtmlValidate({ root: true, extends: ['html-validate:recommended'], rules: exceptions });
  validators.set(key, validator);
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
  );
}
