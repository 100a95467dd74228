import { escapeHtml, type Html, type Attributes } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { Form, SelectField, TextField } from '../../../platform/ui/components/form.tsx';
import { Copy, Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import type { Realtime } from '../../ws/service.ts';
import type { ConsolePage } from '../layout.tsx';
import { count, duration } from '../components/number-format.ts';
import { ConsoleForm } from '../components/console-form.tsx';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { texts } from './texts/en.ts';

/** A channel, or a family of them, that the viewer may subscribe to. */
export interface ChannelView {
  /** Such as `status:{component}`. */
  name: string;
  description: string;
  mayPublish: boolean;
  /** The history for clients that reconnect. */
  history: { size: number; ttlMs: number };
  /** Types of its messages. */
  types: readonly { type: string; summary: string }[];
  /** The channels of a family that exist now. */
  names: readonly string[];
}

export interface RealtimeView {
  figures: ReturnType<Realtime['metrics']>;
  channels: readonly ChannelView[];
  /** How many clients on this replica listen, by channel. */
  listening: ReadonlyMap<string, number>;
  /** The channel to listen to. */
  channel: string;
  /** URL of the socket, for programs. */
  socket: string;
  /** Whether the form has just published its message. */
  isPublished: boolean;
}

const home = sectionPath('realtime');
const words = texts.realtime;

/** The channel that the form publishes to. */
export const publishChannel = 'test';

type Endpoint = RealtimeView['figures']['endpoints'][number];

const { sockets } = words;
const endpointColumns: readonly Column<Endpoint>[] = [
  { title: sockets.columns.socket, cell: ({ path }) => <code safe>{path}</code> },
  {
    title: sockets.columns.connections,
    text: ({ connections }) => count(connections),
    isNumber: true,
  },
  {
    title: sockets.columns.subscriptions,
    text: ({ subscriptions }) => count(subscriptions),
    isNumber: true,
  },
];

const endpointsPanel = ({ figures: { endpoints } }: RealtimeView): Html => (
  <Card id="endpoints" title={sockets.title} isLive>
    <Table caption={sockets.caption} columns={endpointColumns} rows={endpoints} />
  </Card>
);

function socketStats({ figures }: RealtimeView): Html {
  const { endpoints, messages_sent_total: sent, slow_disconnects_total: slow } = figures;
  const sum = (name: 'connections' | 'subscriptions') =>
    count(endpoints.reduce((total, endpoint) => total + endpoint[name], 0));
  const labels = words.figures;
  return (
    <Stats
      id="realtime-cards"
      label={labels.label}
      isLive
      all={[
        { label: labels.connections, value: sum('connections'), note: labels.onReplica },
        { label: labels.subscriptions, value: sum('subscriptions'), note: labels.onReplica },
        { label: labels.sent, value: count(sent), note: labels.sinceStart },
        {
          label: labels.slow,
          value: count(slow),
          note: labels.slowNote,
          tone: slow > 0 ? 'warn' : undefined,
        },
      ]}
    />
  );
}

/** The channels to choose from, by family, with how many listen. */
function channelPicker({ channels, channel, listening }: RealtimeView): Html {
  const option = (name: string): readonly [string, string] => {
    const now = listening.get(name) ?? 0;
    return [name, now === 0 ? name : words.inspector.listening({ channel: name, count: now })];
  };
  const families = channels.filter(({ name }) => name.includes(':'));
  const single = channels.filter(({ name }) => !name.includes(':')).flatMap(({ names }) => names);
  const known = channels.flatMap(({ names }) => names);
  const options = known.includes(channel) ? single : [channel, ...single];
  return (
    <SelectField
      id="channel"
      label={words.inspector.channel}
      options={options.map(option)}
      groups={families
        .filter(({ names }) => names.length > 0)
        .map(({ name, names }) => ({ label: name, options: names.map(option) }))}
      value={channel}
    />
  );
}

const listenForm = (view: RealtimeView): Html => (
  <Form
    action={home}
    method="get"
    isInline
    submit={{ label: words.inspector.listen }}
    attributes={{ id: 'listen' }}
  >
    {channelPicker(view)}
  </Form>
);

const inspectorButton = (id: string, label: string, more: Attributes = {}): Html => (
  <Button label={label} type="button" size="small" isDisabled attributes={{ id, ...more }} />
);

/** The script enables them while they have an effect. */
const inspectorButtons = (
  <div class="btn-row">
    {inspectorButton('pause', words.inspector.pause, { 'aria-pressed': 'false' })}
    {inspectorButton('clear', words.inspector.clear)}
    {inspectorButton('history', words.inspector.history)}
    {inspectorButton('presence', words.inspector.presence)}
  </div>
);

/** The inspector. The script shows and fills it; messages are inserted as text. */
const inspectorPanel = (view: RealtimeView): Html => (
  <Card id="inspect" title={words.inspector.title} hint={words.inspector.hint}>
    <div class="empty" id="inspector-missing">
      <p safe>{words.inspector.needsScript}</p>
      <Copy
        text={`websocat '${view.socket}?mode=uni&channels=${view.channel}'`}
        label={shared.copy}
      />
    </div>
    <div id="inspector" hidden>
      {listenForm(view)}
      <p class="connection">
        <span id="connection" role="status" safe>
          {words.inspector.notConnected}
        </span>
      </p>
      <ul class="chips" id="listening"></ul>
      {inspectorButtons}
      <p class="hint">
        <span id="shown">{escapeHtml(words.inspector.none)}</span>{' '}
        {escapeHtml(words.inspector.order)}
      </p>
      <div class="feed messages" role="region" aria-label={words.inspector.messages} tabindex="0">
        <ol id="messages"></ol>
      </div>
    </div>
  </Card>
);

function publishPanel(channels: readonly ChannelView[]): Html | undefined {
  if (!channels.some(({ name, mayPublish }) => mayPublish && name === publishChannel))
    return undefined;
  const labels = words.publish;
  return (
    <div id="publish" data-channel={publishChannel}>
      <Card id="say" title={labels.title({ channel: publishChannel })} hint={labels.hint}>
        <ConsoleForm
          action={`${home}/publish`}
          submit={{ label: labels.submit, kind: 'secondary' }}
        >
          <TextField
            id="publish-data"
            name="data"
            label={labels.message}
            maxLength={4000}
            rows={3}
            value={'{ "hello": "world" }'}
            isRequired
          />
        </ConsoleForm>
      </Card>
    </div>
  );
}

const historyText = ({ history: { size, ttlMs } }: ChannelView): string =>
  size === 0
    ? words.channels.noHistory
    : words.channels.history({ messages: size, duration: duration(ttlMs / 1000) });

function typeList({ types }: ChannelView): Html {
  const items = types.map(({ type, summary }) => (
    <li>
      <code safe>{type}</code> {escapeHtml(summary)}
    </li>
  ));
  return (
    <Disclosure summary={words.channels.types({ count: types.length })}>
      <ul class="notes">{items}</ul>
    </Disclosure>
  );
}

function channelLink({ name, names: [first] }: ChannelView): Html {
  if (first === undefined) return <code safe>{name}</code>;
  return (
    <a href={withQuery(home, { channel: first })}>
      <code safe>{name}</code>
    </a>
  );
}

const { channels: channelTexts } = words;

const listeningTo = ({ names }: ChannelView, listening: RealtimeView['listening']): number =>
  names.reduce((sum, name) => sum + (listening.get(name) ?? 0), 0);

const channelColumns = (listening: RealtimeView['listening']): readonly Column<ChannelView>[] => [
  { title: channelTexts.columns.channel, cell: channelLink },
  { title: channelTexts.columns.purpose, text: ({ description }) => description },
  { title: channelTexts.columns.messages, cell: typeList },
  { title: channelTexts.columns.history, text: historyText },
  {
    title: channelTexts.columns.access,
    cell: ({ mayPublish }) =>
      mayPublish ? (
        <Badge text={channelTexts.publish} tone="info" />
      ) : (
        escapeHtml(channelTexts.subscribe)
      ),
  },
  {
    title: channelTexts.columns.listening,
    text: (channel) => count(listeningTo(channel, listening)),
    isNumber: true,
  },
];

function channelsPanel({ channels, listening }: RealtimeView): Html {
  const links = (
    <>
      <a href="/realtime/asyncapi.json">{escapeHtml(channelTexts.asyncApi)}</a>
      <a href="/developer/guides/realtime">{escapeHtml(channelTexts.guide)}</a>
    </>
  );
  return (
    <Card id="channels" title={channelTexts.title} hint={channelTexts.hint} actions={links} isLive>
      <Table caption={channelTexts.caption} columns={channelColumns(listening)} rows={channels} />
    </Card>
  );
}

/** The sockets, and an inspector of their messages. */
export function realtimePage(view: RealtimeView): ConsolePage {
  return {
    section: 'realtime',
    title: words.title,
    notice: view.isPublished ? (
      <Toast text={words.publish.done({ channel: publishChannel })} />
    ) : undefined,
    every: 10,
    body: (
      <>
        {socketStats(view)}
        <div class="columns">
          {inspectorPanel(view)}
          <div>
            {publishPanel(view.channels)}
            {endpointsPanel(view)}
          </div>
        </div>
        {channelsPanel(view)}
      </>
    ),
  };
}
