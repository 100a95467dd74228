import type { Device } from './tables.ts';
import { devices } from './tables.ts';
import type { TargetRule } from './schemas.ts';

/** Whom a rule is for. */
export interface RuleConditions {
  device?: Device;
  country?: string;
  language?: string;
}

const names = ['device', 'country', 'language'] as const;
const noRule = 'none';

/** The property of events that says which rule chose the target. */
export const ruleProperty = 'rule';

/** A rule as events have it, such as `device=ios&country=DE`; `none` if none of them applied. */
export function rulePropOf(rule: TargetRule | undefined): string {
  if (rule === undefined) return noRule;
  const text = new URLSearchParams();
  for (const name of names) {
    const value = rule[name];
    if (value !== undefined) text.set(name, value);
  }
  return text.toString();
}

/** What `rulePropOf` wrote; null for `none`. */
export function conditionsOf(text: string): RuleConditions | null {
  if (text === noRule) return null;
  const given = new URLSearchParams(text);
  const device = devices.find((each) => each === given.get('device'));
  const [country, language] = [given.get('country'), given.get('language')];
  return {
    ...(device !== undefined && { device }),
    ...(country !== null && { country }),
    ...(language !== null && { language }),
  };
}
