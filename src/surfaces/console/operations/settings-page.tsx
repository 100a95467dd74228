import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { CheckState } from '../../../areas/health/monitor.ts';
import type { ConsolePage } from '../layout.tsx';
import { bytes, duration } from '../components/number-format.ts';
import type { Setting } from './settings.ts';
import { badge, copyBlock, facts, panel, time, type Tone } from '../components/elements.tsx';
import { numberColumn, type Row, table } from '../components/tables.tsx';
import { tabs } from '../components/navigation.tsx';

/** A store and its location. */
export interface StorePlace {
  name: string;
  kind: string;
  place: string;
}

export interface SettingsView {
  settings: readonly Setting[];
  release: {
    version: string;
    /** Empty if not set. */
    releaseId: string;
    node: string;
    platform: string;
    environment: string;
  };
  /** Unix ms. */
  startedAt: number;
  now: number;
  memory: number;
  stores: readonly StorePlace[];
  checks: readonly CheckState[];
  guides: readonly { slug: string; title: string }[];
}

interface Group {
  id: string;
  title: string;
  /** Matches names of settings. */
  pattern: RegExp;
  /** Slugs of related guides. */
  guides: readonly string[];
}

/** A setting belongs to the first group that matches it. */
const groups: readonly Group[] = [
  {
    id: 'limits',
    title: 'Limits',
    pattern: /LIMIT|WINDOW|GRACE|SEGMENT/,
    guides: ['errors-and-limits'],
  },
  { id: 'devices', title: 'Device security', pattern: /^DEVICE_/, guides: ['device-security'] },
  {
    id: 'sign-in',
    title: 'Sign-in',
    pattern: /^(?:AUTH|ADMIN|IDP|OTP)_/,
    guides: ['sign-in', 'one-time-codes', 'second-factor'],
  },
  {
    id: 'stores',
    title: 'Stores',
    pattern: /^(?:DATA_DIR|REDIS_URL|DATABASE_URL|EVENTS_URL|JOURNAL_)/,
    guides: ['import-and-export'],
  },
  {
    id: 'messages',
    title: 'E-mail and SMS',
    pattern: /^(?:MAIL|SMTP|SMS|TWILIO)_/,
    guides: ['one-time-codes', 'status-page'],
  },
  { id: 'payments', title: 'Payments', pattern: /^PAYMENTS_/, guides: ['payment-webhooks'] },
  {
    id: 'analytics',
    title: 'Analytics',
    pattern: /^(?:SITE|DEDUPE)_/,
    guides: ['analytics', 'website-script'],
  },
  {
    id: 'surfaces',
    title: 'Realtime and assistants',
    pattern: /^(?:WS|MCP)_/,
    guides: ['realtime', 'mcp'],
  },
  {
    id: 'names',
    title: 'Names on pages and messages',
    pattern: /^(?:APP_NAME|CONTACT|LEGAL)/,
    guides: [],
  },
  { id: 'server', title: 'Server', pattern: /./, guides: ['getting-started'] },
];

function valueOf({ value, isSecret }: Setting): Html {
  if (value === undefined) return isSecret ? badge('set', 'good') : badge('set, not shown', 'good');
  if (value === '')
    return (
      <span class="hint" safe>
        {isSecret ? 'not set' : 'empty'}
      </span>
    );
  return (
    <code class="value" safe>
      {value}
    </code>
  );
}

const row = (setting: Setting): Html[] => [
  <code safe>{setting.name}</code>,
  valueOf(setting),
  setting.isSet ? badge('environment', 'info') : escapeHtml('default'),
  <span class="hint" safe>
    {setting.description.replaceAll('`', '')}
  </span>,
];

function groupPanel(
  { id, title, guides }: Group,
  settings: readonly Setting[],
  allGuides: SettingsView['guides'],
): Html {
  const links = allGuides
    .filter(({ slug }) => guides.includes(slug))
    .map(({ slug, title: name }) => (
      <a href={`/developer/guides/${slug}`} safe>
        {name}
      </a>
    ));
  const list = table({
    caption: `Settings: ${title}`,
    columns: ['Variable', 'Value', 'From', 'Meaning'],
    rows: settings.map(row),
  });
  return panel({
    id: `group-${id}`,
    title,
    actions: links.length === 0 ? undefined : <span class="actions">{links}</span>,
    body: <div class="settings">{list}</div>,
  });
}

const checkTones: Readonly<Record<CheckState['status'], Tone>> = {
  pass: 'good',
  warn: 'warn',
  fail: 'bad',
};

/** What a check measures: `response time` for `redis:responseTime`. */
const measureOf = (name: string): string =>
  name.replace(/^.*:/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function checkRow({ title, name, status, result }: CheckState): Row {
  const { observedValue: value, observedUnit: unit } = result;
  return [
    escapeHtml(`${title}, ${measureOf(name)}`),
    badge(status, checkTones[status]),
    value === undefined ? escapeHtml('–') : escapeHtml(`${value} ${unit ?? ''}`),
  ];
}

function storesPanel({ stores, checks }: SettingsView): Html {
  const places = table({
    caption: 'Where this replica keeps things',
    columns: ['Store', 'Kind', 'Where'],
    rows: stores.map(({ name, kind, place }) => [
      escapeHtml(name),
      escapeHtml(kind),
      <code class="value" safe>
        {place}
      </code>,
    ]),
  });
  const checkTable = table({
    caption: 'Health checks of this replica',
    columns: ['Check', 'State', numberColumn('Observed')],
    rows: checks.map(checkRow),
  });
  return panel({
    id: 'stores-in-use',
    title: 'Stores in use',
    live: true,
    body: [places, <h3>Checks</h3>, checkTable],
  });
}

/** Quotes a value for a file of `NAME=value` lines, if necessary. */
const quote = (value: string): string =>
  /^[\w.,:/@+%-]*$/.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`;

/** The settings that differ from the defaults, as a `.env` file. Secrets are comments. */
function envText(settings: readonly Setting[]): string {
  const lines = settings
    .filter(({ isSet }) => isSet)
    .map(({ name, value, isWhole }) =>
      value !== undefined && isWhole ? `${name}=${quote(value)}` : `# ${name}=  (set; not shown)`,
    );
  return lines.length === 0 ? '# Everything is as it is by default.\n' : `${lines.join('\n')}\n`;
}

function releasePanel({
  release: { version, releaseId, node, platform, environment },
  startedAt,
  now,
  memory,
}: SettingsView): Html {
  return panel({
    id: 'release',
    title: 'This replica',
    live: true,
    body: facts([
      ['Version', escapeHtml(version)],
      ['Release', escapeHtml(releaseId || 'not named (RELEASE_ID)')],
      ['Environment', escapeHtml(environment)],
      ['Node.js', escapeHtml(node)],
      ['Platform', escapeHtml(platform)],
      ['Started', time(startedAt)],
      ['Running for', escapeHtml(duration((now - startedAt) / 1000))],
      ['Memory', escapeHtml(bytes(memory))],
    ]),
  });
}

const groupOrder = [
  'server',
  'stores',
  'sign-in',
  'devices',
  'messages',
  'payments',
  'analytics',
  'surfaces',
  'limits',
  'names',
];

/** The groups in their order on the page, each with its settings. */
function groupedSettings(settings: readonly Setting[]): { group: Group; own: Setting[] }[] {
  const groupOf = ({ name }: Setting) => groups.find(({ pattern }) => pattern.test(name));
  return groups
    .toSorted((a, b) => groupOrder.indexOf(a.id) - groupOrder.indexOf(b.id))
    .map((group) => ({ group, own: settings.filter((setting) => groupOf(setting) === group) }))
    .filter(({ own }) => own.length > 0);
}

/** The effective configuration, without secrets. */
export function settingsPage(view: SettingsView): ConsolePage {
  const { settings, guides } = view;
  const grouped = groupedSettings(settings);
  const envTitle = 'As a file .env';
  const contents = tabs('On this page', [
    ...grouped.map(({ group: { id, title } }) => ({
      href: `#group-${id}`,
      text: title,
      isCurrent: false,
    })),
    { href: '#env', text: envTitle, isCurrent: false },
  ]);
  return {
    section: 'settings',
    title: 'Settings',
    every: 30,
    body: [
      <p class="hint">
        Settings are environment variables, read once at the start. A setting that is set to its
        default counts as default.
      </p>,
      <div class="columns">
        {releasePanel(view)}
        {storesPanel(view)}
      </div>,
      contents,
      ...grouped.map(({ group, own }) => groupPanel(group, own, guides)),
      panel({
        id: 'env',
        title: envTitle,
        hint:
          'What differs from the defaults. ' +
          'Secrets, and addresses with passwords, are left out.',
        body: copyBlock(envText(settings)),
      }),
    ],
  };
}
