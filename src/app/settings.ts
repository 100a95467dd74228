import { type Config, configSchema, parseConfig } from '../config.ts';

/** Lists every setting with its current value and its default. Some values are secrets. */
export function listSettings(config: Config) {
  const defaults = parseConfig({});
  return Object.entries(configSchema.shape).map(([name, { description = '' }]) => ({
    name,
    description,
    value: Reflect.get(config, name) as unknown,
    default: Reflect.get(defaults, name) as unknown,
  }));
}
