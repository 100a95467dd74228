import { z } from 'zod';
import { analyticsSettings } from './platform/settings/analytics.ts';
import { givenSettings } from './platform/settings/given-settings.ts';
import { configMistakes } from './platform/settings/mistakes.ts';
import { withNewNames } from './platform/settings/renamed.ts';
import { removedSettings } from './platform/settings/removed.ts';
import { messageSettings, productSettings, waitlistSettings } from './platform/settings/product.ts';
import {
  connectionSettings,
  requestSettings,
  serverSettings,
  storeSettings,
} from './platform/settings/server.ts';
import { signInSettings } from './platform/settings/sign-in.ts';

/**
 * All settings of the service, in the order of their documentation: `.env.example` and
 * `docs/configuration.md` are generated from this.
 */
export const configSchema = z.object({
  ...serverSettings,
  ...storeSettings,
  ...signInSettings,
  ...requestSettings,
  ...productSettings,
  ...waitlistSettings,
  ...messageSettings,
  ...analyticsSettings,
  ...connectionSettings,
});

export type Config = Readonly<z.output<typeof configSchema>>;

export interface ConfigMistake {
  variable: string;
  message: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly ConfigMistake[];

  constructor(mistakes: readonly ConfigMistake[]) {
    super(mistakes.map(({ variable, message }) => `${variable}: ${message}`).join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Parses the settings in `env`; empty and blank ones count as unset. Throws a ConfigError with one
 * entry for each mistake, without the values.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = givenSettings(env);
  const { data: config, error } = configSchema.safeParse(withNewNames(given));
  const invalid = error?.issues.map(({ path, message }) => ({ variable: path.join('.'), message }));
  const mistakes = [
    ...removedSettings(given),
    ...(config === undefined ? (invalid ?? []) : configMistakes(config)),
  ];
  if (config === undefined || mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze(config);
}
