import type { Config, ConfigMistake } from '../../config.ts';

/** A rule about a setting, with its message. */
export type Rule = readonly [
  variable: keyof Config,
  isBroken: (config: Config) => boolean,
  message: string,
];

export const brokenRules = (rules: readonly Rule[], config: Config): ConfigMistake[] =>
  rules
    .filter(([, isBroken]) => isBroken(config))
    .map(([variable, , message]) => ({ variable, message }));
