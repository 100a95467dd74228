import type { ConsoleContext, SettingValue } from '../context.ts';
import type { SettingsView, StorePlace } from './settings-page.tsx';
import { texts } from './texts/en.ts';
import { parseUrl } from '../../../lib/net/parse-url.ts';

/** A setting as it may be shown. */
export interface Setting {
  /** The environment variable. */
  name: string;
  description: string;
  isSecret: boolean;
  /** The value differs from the default. */
  isSet: boolean;
  /** The part that may be shown; empty: not set. Undefined: nothing may be shown. */
  value: string | undefined;
  /** `value` is complete. */
  isWhole: boolean;
}

/** Names of secrets, which are never shown. The name of a new secret must match. */
const secretName = /SECRET|TOKEN|PASSWORD|CREDENTIAL|_KEY$|_CODE$/;

/** URLs of webhooks, which have a secret in their path. */
const secretPaths: readonly string[] = ['SMS_URL'];

const hidden = '…';

/** Redacts user, password and query of a URL; undefined for an invalid URL. */
function redactedUrl(name: string, text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const { protocol, username, password, host, pathname, search, hash } = url;
  const userInfo = username + password === '' ? '' : `${hidden}@`;
  const authority = text.startsWith(`${protocol}//`) ? `//${userInfo}${host}` : '';
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

/** Anything with a scheme may contain a password, whatever the name of the setting. */
const isUrl = (name: string, text: string): boolean =>
  name.endsWith('_URL') || /^[a-z][a-z0-9+.-]*:\/\/[^,]*$/i.test(text);

function shownValue(name: string, text: string): string | undefined {
  if (text === '') return '';
  if (secretName.test(name)) return undefined;
  return isUrl(name, text) ? redactedUrl(name, text) : text;
}

/** Returns every setting as it may be shown, without secrets. */
export function shownSettings(settings: readonly SettingValue[]): Setting[] {
  return settings.map(({ name, description, value: raw, default: fallback }) => {
    const text = textOf(raw);
    const value = shownValue(name, text);
    return {
      name,
      description,
      isSecret: secretName.test(name),
      isSet: text !== textOf(fallback),
      value,
      isWhole: value === text,
    };
  });
}

/** The locations of this replica's stores. */
function storePlaces(settings: readonly Setting[]): StorePlace[] {
  const { stores } = texts.settings;
  const find = (name: string) => settings.find((setting) => setting.name === name);
  const dataDir = find('DATA_DIR')?.value ?? '';
  const isSet = (name: string) => find(name)?.isSet === true;
  const place = (name: string, file: string) =>
    (isSet(name) ? find(name)?.value : undefined) ?? `${dataDir}/${file}`;
  return [
    {
      name: stores.records,
      kind: isSet('DATABASE_URL') ? stores.postgres : stores.pglite,
      place: place('DATABASE_URL', 'postgres'),
    },
    {
      name: stores.queues,
      kind: isSet('REDIS_URL') ? stores.redis : stores.embeddedRedis,
      place: place('REDIS_URL', 'redis'),
    },
    {
      name: stores.events,
      kind: stores.duckdb,
      place: place('EVENTS_URL', 'events.duckdb'),
    },
    { name: stores.journal, kind: stores.files, place: `${dataDir}/journal` },
  ];
}

/** What the settings page shows. */
export function readSettings({
  version,
  clock,
  settings: all,
  health,
}: ConsoleContext): SettingsView {
  const settings = shownSettings(all);
  const stores = storePlaces(settings);
  const valueOf = (name: string) => settings.find((setting) => setting.name === name)?.value ?? '';
  return {
    settings,
    stores,
    startedAt: health.startedAt,
    now: clock.now(),
    memory: process.memoryUsage.rss(),
    checks: health.checks(),
    release: {
      version,
      releaseId: valueOf('RELEASE_ID'),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      environment: valueOf('NODE_ENV'),
    },
  };
}
