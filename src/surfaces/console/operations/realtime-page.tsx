import { escapeHtml, type Html, type Attributes } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Field, Form } from '../../../platform/ui/components/form.tsx';
import type { Realtime } from '../../ws/service.ts';
import type { ConsolePage } from '../layout.tsx';
import { count, duration } from '../components/number-format.ts';
import { badge, cards, copyBlock, panel } from '../components/elements.tsx';
import { postForm, textarea } from '../components/forms.tsx';
import { numberColumn, table } from '../components/tables.tsx';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

/** A channel, or a family of them, that the viewer may subscribe to. */
export interface ChannelView {
  /** Such as `status:{component}`. */
  name: string;
  description: string;
  mayPublish: boolean;
  hasPresence: boolean;
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
  /** The channel to listen to. */
  channel: string;
  /** URL of the socket, for programs. */
  socket: string;
}

const home = sectionPath('realtime');
const words = texts.realtime;

/** The channel that the form publishes to. */
export const publishChannel = 'test';

function endpointsPanel({ figures: { endpoints } }: RealtimeView): Html {
  const { title, caption, columns } = words.sockets;
  return panel({
    id: 'endpoints',
    title,
    live: true,
    body: table({
      caption,
      columns: [
        columns.socket,
        numberColumn(columns.connections),
        numberColumn(columns.subscriptions),
      ],
      rows: endpoints.map(({ path, connections, subscriptions }) => [
        <code safe>{path}</code>,
        escapeHtml(count(connections)),
        escapeHtml(count(subscriptions)),
      ]),
    }),
  });
}

function socketCards({ figures }: RealtimeView): Html {
  const { endpoints, messages_sent_total: sent, slow_disconnects_total: slow } = figures;
  const sum = (name: 'connections' | 'subscriptions') =>
    count(endpoints.reduce((total, endpoint) => total + endpoint[name], 0));
  const labels = words.figures;
  return cards('realtime-cards', labels.label, [
    {
      name: labels.connections,
      value: escapeHtml(sum('connections')),
      note: escapeHtml(labels.onReplica),
    },
    {
      name: labels.subscriptions,
      value: escapeHtml(sum('subscriptions')),
      note: escapeHtml(labels.onReplica),
    },
    { name: labels.sent, value: escapeHtml(count(sent)), note: escapeHtml(labels.sinceStart) },
    {
      name: labels.slow,
      value: escapeHtml(count(slow)),
      note: escapeHtml(labels.slowNote),
      tone: slow > 0 ? 'warn' : undefined,
    },
  ]);
}

function listenForm({ channels, channel }: RealtimeView): Html {
  const names = channels
    .flatMap((each) => each.names)
    .map((name) => <option value={name}></option>);
  return (
    <Form
      action={home}
      method="get"
      isInline
      submit={{ label: words.inspector.listen }}
      attributes={{ id: 'listen' }}
    >
      <Field
        id="channel"
        label={words.inspector.channel}
        value={channel}
        maxLength={128}
        isRequired
        attributes={{ list: 'channel-names', spellcheck: 'false' }}
      />
      <datalist id="channel-names">{names}</datalist>
    </Form>
  );
}

const inspectorButton = (id: string, label: string, more: Attributes = {}): Html => (
  <Button label={label} type="button" size="small" attributes={{ id, ...more }} />
);

const inspectorButtons = (
  <div class="btn-row">
    {inspectorButton('pause', words.inspector.pause, { 'aria-pressed': 'false' })}
    {inspectorButton('clear', words.inspector.clear)}
    {inspectorButton('history', words.inspector.history)}
    {inspectorButton('presence', words.inspector.presence)}
  </div>
);

/** The inspector. The script shows and fills it; messages are inserted as text. */
function inspectorPanel(view: RealtimeView): Html {
  const call = copyBlock(`websocat '${view.socket}?mode=uni&channels=${view.channel}'`);
  const body = (
    <>
      <div class="empty" id="inspector-missing">
        <p safe>{words.inspector.needsScript}</p>
        {call}
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
          <span id="shown" safe>
            {words.inspector.none}
          </span>{' '}
          {escapeHtml(words.inspector.order)}
        </p>
        <div class="feed messages" role="region" aria-label={words.inspector.messages} tabindex="0">
          <ol id="messages"></ol>
        </div>
      </div>
    </>
  );
  return panel({
    id: 'inspect',
    title: words.inspector.title,
    hint: words.inspector.hint,
    body,
  });
}

function publishPanel(channels: readonly ChannelView[]): Html | undefined {
  if (!channels.some(({ name, mayPublish }) => mayPublish && name === publishChannel))
    return undefined;
  const inputs = textarea({
    id: 'publish-data',
    name: 'data',
    label: words.publish.message,
    maxLength: 4000,
    rows: 3,
    value: '{ "hello": "world" }',
  });
  const form = panel({
    id: 'say',
    title: words.publish.title({ channel: publishChannel }),
    hint: words.publish.hint,
    body: postForm({ action: `${home}/publish`, inputs, button: words.publish.submit }),
  });
  return (
    <div id="publish" data-channel={publishChannel}>
      {form}
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

function channelsPanel({ channels }: RealtimeView): Html {
  const labels = words.channels;
  const { columns } = labels;
  return panel({
    id: 'channels',
    title: labels.title,
    hint: labels.hint,
    actions: (
      <>
        <a href="/realtime/asyncapi.json" safe>
          {labels.asyncApi}
        </a>
        <a href="/developer/guides/realtime" safe>
          {labels.guide}
        </a>
      </>
    ),
    body: table({
      caption: labels.caption,
      columns: [
        columns.channel,
        columns.purpose,
        columns.messages,
        columns.history,
        columns.access,
        columns.presence,
      ],
      rows: channels.map((channel) => [
        channelLink(channel),
        escapeHtml(channel.description),
        typeList(channel),
        escapeHtml(historyText(channel)),
        channel.mayPublish ? badge(labels.publish, 'info') : escapeHtml(labels.subscribe),
        channel.hasPresence ? escapeHtml(labels.yes) : escapeHtml(labels.no),
      ]),
    }),
  });
}

/** The sockets, and an inspector of their messages. */
export function realtimePage(view: RealtimeView, notice: Html | undefined): ConsolePage {
  const side = (
    <div>
      {publishPanel(view.channels)}
      {endpointsPanel(view)}
    </div>
  );
  return {
    section: 'realtime',
    title: words.title,
    notice,
    every: 10,
    body: (
      <>
        {socketCards(view)}
        <div class="columns">
          {inspectorPanel(view)}
          {side}
        </div>
        {channelsPanel(view)}
      </>
    ),
  };
}
