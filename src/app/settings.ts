import { type Config, configSchema, parseConfig } from '../config.ts';

/** Every setting with the value in effect and its default. Some of the values are secrets. */
export function listSettings(config: Config) {
  const defaults = parseConfig({});
  return Object.entries(configSchema.shape).map(([name, { description = '' }]) => ({
    name,
    description,
    value: Reflect.get(config, name) as unknown,
    default: Reflect.get(defaults, name) as unknown,
  }));
}
