import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { CheckState } from '../../../areas/health/monitor.ts';
import type { ConsolePage } from '../layout.tsx';
import { bytes, decimal, duration } from '../components/number-format.ts';
import type { Setting } from './settings.ts';
import { badge, copyBlock, facts, panel, time, type Tone } from '../components/elements.tsx';
import { numberColumn, type Row, table } from '../components/tables.tsx';
import { tabs } from '../components/navigation.tsx';
import { texts } from './texts/en.ts';

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

const words = texts.settings;

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
    title: words.groups.limits,
    pattern: /LIMIT|WINDOW|GRACE|SEGMENT/,
    guides: ['errors-and-limits'],
  },
  { id: 'devices', title: words.groups.devices, pattern: /^DEVICE_/, guides: ['device-security'] },
  {
    id: 'sign-in',
    title: words.groups.signIn,
    pattern: /^(?:AUTH|ADMIN|IDP|OTP)_/,
    guides: ['sign-in', 'one-time-codes', 'second-factor'],
  },
  {
    id: 'stores',
    title: words.groups.stores,
    pattern: /^(?:DATA_DIR|REDIS_URL|DATABASE_URL|EVENTS_URL|JOURNAL_)/,
    guides: ['import-and-export'],
  },
  {
    id: 'messages',
    title: words.groups.messages,
    pattern: /^(?:MAIL|SMTP|SMS|TWILIO)_/,
    guides: ['one-time-codes', 'status-page'],
  },
  {
    id: 'payments',
    title: words.groups.payments,
    pattern: /^PAYMENTS_/,
    guides: ['payment-webhooks'],
  },
  {
    id: 'analytics',
    title: words.groups.analytics,
    pattern: /^(?:SITE|DEDUPE)_/,
    guides: ['analytics', 'website-script'],
  },
  {
    id: 'surfaces',
    title: words.groups.surfaces,
    pattern: /^(?:WS|MCP)_/,
    guides: ['realtime', 'mcp'],
  },
  {
    id: 'names',
    title: words.groups.names,
    pattern: /^(?:APP_NAME|CONTACT|LEGAL)/,
    guides: [],
  },
  { id: 'server', title: words.groups.server, pattern: /./, guides: ['getting-started'] },
];

function valueOf({ value, isSecret }: Setting): Html {
  if (value === undefined) return badge(isSecret ? words.values.set : words.values.hidden, 'good');
  if (value === '')
    return (
      <span class="hint" safe>
        {isSecret ? words.values.notSet : words.values.empty}
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
  setting.isSet ? badge(words.sources.environment, 'info') : escapeHtml(words.sources.default),
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
  const { columns } = words;
  const list = table({
    caption: words.caption({ group: title }),
    columns: [columns.variable, columns.value, columns.source, columns.description],
    rows: settings.map(row),
  });
  return panel({
    id: `group-${id}`,
    title,
    actions: links.length === 0 ? undefined : <>{links}</>,
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

/** The value of a check with its unit: `2.9 MB`, `0.3 ms`. */
const measured = (value: number | string, unit = ''): string => {
  if (typeof value === 'string') return value;
  return unit === 'bytes' ? bytes(value) : `${decimal(value)} ${unit}`;
};

function checkRow({ title, name, status, result }: CheckState): Row {
  const { observedValue: value, observedUnit: unit } = result;
  return [
    escapeHtml(words.checks.name({ title, measure: measureOf(name) })),
    badge(words.checks.statuses[status], checkTones[status]),
    escapeHtml(value === undefined ? '–' : measured(value, unit)),
  ];
}

function storesPanel({ stores, checks: all }: SettingsView): Html {
  const { stores: labels, checks } = words;
  const places = table({
    caption: labels.caption,
    columns: [labels.columns.store, labels.columns.kind, labels.columns.place],
    rows: stores.map(({ name, kind, place }) => [
      escapeHtml(name),
      escapeHtml(kind),
      <code class="value" safe>
        {place}
      </code>,
    ]),
  });
  const checkTable = table({
    caption: checks.caption,
    columns: [checks.columns.check, checks.columns.status, numberColumn(checks.columns.observed)],
    rows: all.map(checkRow),
  });
  return panel({
    id: 'stores-in-use',
    title: labels.title,
    live: true,
    body: [places, <h3 safe>{checks.title}</h3>, checkTable],
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
  return lines.length === 0 ? `${words.env.allDefault}\n` : `${lines.join('\n')}\n`;
}

function releasePanel({
  release: { version, releaseId, node, platform, environment },
  startedAt,
  now,
  memory,
}: SettingsView): Html {
  const { replica } = words;
  return panel({
    id: 'release',
    title: replica.title,
    live: true,
    body: facts([
      [replica.version, escapeHtml(version)],
      [replica.release, escapeHtml(releaseId || replica.noRelease)],
      [replica.environment, escapeHtml(environment)],
      [replica.node, escapeHtml(node)],
      [replica.platform, escapeHtml(platform)],
      [replica.started, time(startedAt)],
      [replica.uptime, escapeHtml(duration((now - startedAt) / 1000))],
      [replica.memory, escapeHtml(bytes(memory))],
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
  const contents = tabs(words.contents, [
    ...grouped.map(({ group: { id, title } }) => ({
      href: `#group-${id}`,
      text: title,
      isCurrent: false,
    })),
    { href: '#env', text: words.env.title, isCurrent: false },
  ]);
  return {
    section: 'settings',
    title: words.title,
    every: 30,
    body: [
      <p class="hint" safe>
        {words.intro}
      </p>,
      <div class="columns">
        {releasePanel(view)}
        {storesPanel(view)}
      </div>,
      contents,
      ...grouped.map(({ group, own }) => groupPanel(group, own, guides)),
      panel({
        id: 'env',
        title: words.env.title,
        hint: words.env.hint,
        body: copyBlock(envText(settings)),
      }),
    ],
  };
}
