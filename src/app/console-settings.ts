import type { Setting } from '../surfaces/console/operations/settings-page.ts';
import { type Config, configSchema, parseConfig } from '../config.ts';

/** Names of what is never shown. What a new secret is called had better be one of these. */
const secretName = /SECRET|TOKEN|PASSWORD|CREDENTIAL|_KEY$/;

/** Hooks carry what opens them in their path. */
const secretPaths: readonly string[] = ['SMS_URL'];

const hidden = '…';

/** The address without what could open something: user, password, query. Undefined where it can't be told apart. */
function addressOf(name: string, text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  const authority = text.startsWith(`${protocol}//`)
    ? `//${username + password === '' ? '' : `${hidden}@`}${host}`
    : '';
  const path =
    secretPaths.includes(name) && pathname !== '/'
      ? `/${hidden}`
      : pathname === '/' && !text.endsWith('/')
        ? ''
        : pathname;
  return `${protocol}${authority}${path}${search + hash === '' ? '' : `?${hidden}`}`;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : JSON.stringify(value);
}

/** Whatever a setting is called: a text with a scheme may have a password in it. */
const isAddress = (name: string, text: string): boolean =>
  name.endsWith('_URL') || /^[a-z][a-z0-9+.-]*:\/\/[^,]*$/i.test(text);

/** How a value may be shown: undefined where nothing of it may. */
function shownValue(name: string, text: string): string | undefined {
  if (secretName.test(name)) return undefined;
  return isAddress(name, text) ? addressOf(name, text) : text;
}

/** Every setting as it is in effect; nothing in the answer opens anything. */
export function shownSettings(config: Config): Setting[] {
  const defaults = parseConfig({});
  return Object.entries(configSchema.shape).map(([name, { description = '' }]) => {
    const [text, fallback] = [
      textOf(Reflect.get(config, name)),
      textOf(Reflect.get(defaults, name)),
    ];
    const value = text === '' ? '' : shownValue(name, text);
    return {
      name,
      description,
      isSecret: secretName.test(name),
      isSet: text !== fallback,
      value,
      isWhole: value === text,
    };
  });
}
