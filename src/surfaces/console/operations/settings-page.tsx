import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { CheckState } from '../../../areas/health/monitor.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { bytes, decimal, duration } from '../components/number-format.ts';
import type { Setting } from './settings.ts';
import { tabs } from '../components/navigation.tsx';
import { texts as shared } from '../texts/en.ts';
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
    pattern: /^(?:PAYMENTS_|PLANS$)/,
    guides: ['payment-webhooks', 'signup'],
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
  if (value === undefined)
    return <Badge text={isSecret ? words.values.set : words.values.hidden} tone="ok" />;
  if (value === '')
    return (
      <span class="hint">{escapeHtml(isSecret ? words.values.notSet : words.values.empty)}</span>
    );
  return <code class="value">{escapeHtml(value)}</code>;
}

const settingColumns: readonly Column<Setting>[] = [
  { title: words.columns.variable, cell: ({ name }) => <code safe>{name}</code> },
  { title: words.columns.value, cell: valueOf },
  {
    title: words.columns.source,
    cell: ({ isSet }) =>
      isSet ? (
        <Badge text={words.sources.environment} tone="info" />
      ) : (
        escapeHtml(words.sources.default)
      ),
  },
  {
    title: words.columns.description,
    cell: ({ description }) => (
      <span class="hint">{escapeHtml(description.replaceAll('`', ''))}</span>
    ),
  },
];

function groupPanel(
  { id, title, guides }: Group,
  settings: readonly Setting[],
  allGuides: SettingsView['guides'],
): Html {
  const links = allGuides
    .filter(({ slug }) => guides.includes(slug))
    .map(({ slug, title: name }) => <a href={`/developer/guides/${slug}`}>{escapeHtml(name)}</a>);
  return (
    <Card id={`group-${id}`} title={title} actions={links.length === 0 ? undefined : links}>
      <div class="settings">
        <Table caption={words.caption({ group: title })} columns={settingColumns} rows={settings} />
      </div>
    </Card>
  );
}

const checkTones: Readonly<Record<CheckState['status'], Tone>> = {
  pass: 'ok',
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

const checkColumns: readonly Column<CheckState>[] = [
  {
    title: words.checks.columns.check,
    text: ({ title, name }) => words.checks.name({ title, measure: measureOf(name) }),
  },
  {
    title: words.checks.columns.status,
    cell: ({ status }) => <Badge text={words.checks.statuses[status]} tone={checkTones[status]} />,
  },
  {
    title: words.checks.columns.observed,
    text: ({ result: { observedValue: value, observedUnit: unit } }) =>
      value === undefined ? '–' : measured(value, unit),
    isNumber: true,
  },
];

const storeColumns: readonly Column<StorePlace>[] = [
  { title: words.stores.columns.store, text: ({ name }) => name },
  { title: words.stores.columns.kind, text: ({ kind }) => kind },
  {
    title: words.stores.columns.place,
    cell: ({ place }) => <code class="value">{escapeHtml(place)}</code>,
  },
];

const storesPanel = ({ stores, checks }: SettingsView): Html => (
  <Card id="stores-in-use" title={words.stores.title} isLive>
    <Table caption={words.stores.caption} columns={storeColumns} rows={stores} />
    <h3 safe>{words.checks.title}</h3>
    <Table caption={words.checks.caption} columns={checkColumns} rows={checks} />
  </Card>
);

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
  const facts = [
    { name: replica.version, value: escapeHtml(version) },
    { name: replica.release, value: escapeHtml(releaseId || replica.noRelease) },
    { name: replica.environment, value: escapeHtml(environment) },
    { name: replica.node, value: escapeHtml(node) },
    { name: replica.platform, value: escapeHtml(platform) },
    { name: replica.started, value: <Time at={startedAt} /> },
    { name: replica.uptime, value: escapeHtml(duration((now - startedAt) / 1000)) },
    { name: replica.memory, value: escapeHtml(bytes(memory)) },
  ];
  return (
    <Card id="release" title={replica.title} isLive>
      <Facts facts={facts} />
    </Card>
  );
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
    body: (
      <>
        <p class="hint">{escapeHtml(words.intro)}</p>
        <div class="columns">
          {releasePanel(view)}
          {storesPanel(view)}
        </div>
        {contents}
        {grouped.map(({ group, own }) => groupPanel(group, own, guides))}
        <Card id="env" title={words.env.title} hint={words.env.hint}>
          <Copy text={envText(settings)} label={shared.copy} />
        </Card>
      </>
    ),
  };
}
