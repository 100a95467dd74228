import type { Config, ConfigMistake } from '../../config.ts';

/** What is said of a setting when `isBroken`. */
export type Rule = readonly [
  variable: keyof Config,
  isBroken: (config: Config) => boolean,
  message: string,
];

export const broken = (rules: readonly Rule[], config: Config): ConfigMistake[] =>
  rules
    .filter(([, isBroken]) => isBroken(config))
    .map(([variable, , message]) => ({ variable, message }));
