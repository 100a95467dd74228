import type { z } from 'zod';
import { capitalized } from '../../../lib/text/case.ts';
import { texts } from '../texts/en.ts';

const words = texts.forms.problems;

/** What schemas say without a message of their own. */
const isDefault = (message: string): boolean =>
  /^(?:Invalid|Too (?:small|big)|Unrecognized|Input should|Field required)/.test(message);

const formats: Readonly<Partial<Record<string, string>>> = {
  email: words.email,
  url: words.url,
  datetime: words.time,
  date: words.date,
};

/** What is wrong with a field, by the rule that it breaks. */
function ruleText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return ['number', 'int', 'nan'].includes(issue.expected) ? words.number : words.missing;
    case 'invalid_value':
      return words.choice;
    case 'too_small':
      if (issue.origin === 'number') return words.atLeast({ bound: String(issue.minimum) });
      return issue.minimum === 1 ? words.missing : words.tooShort({ bound: String(issue.minimum) });
    case 'too_big':
      return issue.origin === 'number'
        ? words.atMost({ bound: String(issue.maximum) })
        : words.tooLong({ bound: String(issue.maximum) });
    case 'invalid_format':
      return formats[issue.format] ?? words.other;
    default:
      return words.other;
  }
}

/** A sentence of a message: `Value error, must be later` becomes `Must be later.` */
const sentenceOf = (message: string): string =>
  capitalized(message.replace(/^Value error, /, '').replace(/\.?$/, '.'));

/** The sentence at a field about a broken rule of its schema, or of a service. */
export const problemText = (issue: z.core.$ZodIssue | { message: string }): string => {
  if (!isDefault(issue.message)) return sentenceOf(issue.message);
  return 'code' in issue ? ruleText(issue) : words.other;
};
