import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Realtime } from '../../ws/service.ts';
import type { ConsolePage } from '../layout.tsx';
import { count, plural, shortDuration } from '../components/number-format.ts';
import { badge, cards, copyBlock, panel } from '../components/elements.tsx';
import { postForm, textarea } from '../components/forms.tsx';
import { numberColumn, table } from '../components/tables.tsx';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';

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

/** The channel that the form publishes to. */
export const publishChannel = 'test';

function endpointsPanel({ figures: { endpoints } }: RealtimeView): Html {
  const columns = ['Socket', numberColumn('Connections'), numberColumn('Subscriptions')];
  return panel({
    id: 'endpoints',
    title: 'Sockets',
    live: true,
    body: table({
      caption: 'Sockets of this replica',
      columns,
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
  return cards('realtime-cards', 'Sockets of this replica', [
    {
      name: 'Connections',
      value: escapeHtml(sum('connections')),
      note: escapeHtml('on this replica'),
    },
    {
      name: 'Subscriptions',
      value: escapeHtml(sum('subscriptions')),
      note: escapeHtml('on this replica'),
    },
    { name: 'Messages sent', value: escapeHtml(count(sent)), note: escapeHtml('since the start') },
    {
      name: 'Cut off',
      value: escapeHtml(count(slow)),
      note: escapeHtml('read too slowly'),
      tone: slow > 0 ? 'warn' : undefined,
    },
  ]);
}

function listenForm({ channels, channel }: RealtimeView): Html {
  const input = {
    id: 'channel',
    type: 'text',
    list: 'channel-names',
    value: channel,
    required: true,
    maxlength: 128,
    autocomplete: 'off',
    spellcheck: 'false',
  };
  const names = channels
    .flatMap((each) => each.names)
    .map((name) => <option value={name}></option>);
  return (
    <form class="filters" id="listen">
      <div class="field">
        <label for="channel">Channel</label>
        <input {...input} />
      </div>
      <datalist id="channel-names">{names}</datalist>
      <button type="submit">Listen</button>
    </form>
  );
}

const inspectorButtons = (
  <div class="row">
    <button type="button" class="second" id="pause" aria-pressed="false">
      Pause
    </button>{' '}
    <button type="button" class="second" id="clear">
      Clear
    </button>{' '}
    <button type="button" class="second" id="history">
      Show what is kept
    </button>{' '}
    <button type="button" class="second" id="presence">
      Who listens
    </button>
  </div>
);

/** The inspector. The script shows and fills it; messages are inserted as text. */
function inspectorPanel(view: RealtimeView): Html {
  const call = copyBlock(`websocat '${view.socket}?mode=uni&channels=${view.channel}'`);
  const body = (
    <>
      <div class="empty" id="inspector-missing">
        <p>The inspector needs JavaScript. Any WebSocket client hears public channels:</p>
        {call}
      </div>
      <div id="inspector" hidden>
        {listenForm(view)}
        <p class="connection">
          <span id="connection" role="status">
            Not connected
          </span>
        </p>
        <ul class="chips" id="listening"></ul>
        {inspectorButtons}
        <p class="hint">
          <span id="shown">No messages yet.</span> The newest stands first; 200 are shown at most.
        </p>
        <div class="feed messages" role="region" aria-label="Messages" tabindex="0">
          <ol id="messages"></ol>
        </div>
      </div>
    </>
  );
  return panel({
    id: 'inspect',
    title: 'Inspector',
    hint: 'Listens at /ws/svc/ as you: it hears what your account may hear.',
    body,
  });
}

function publishPanel(channels: readonly ChannelView[]): Html | undefined {
  if (!channels.some(({ name, mayPublish }) => mayPublish && name === publishChannel))
    return undefined;
  const inputs = textarea({
    id: 'publish-data',
    name: 'data',
    label: 'Message (JSON)',
    maxLength: 4000,
    rows: 3,
    value: '{ "hello": "world" }',
  });
  const form = panel({
    id: 'say',
    title: `Publish to ${publishChannel}`,
    hint: 'Everybody who listens to it gets the message.',
    body: postForm({ action: `${home}/publish`, inputs, button: 'Publish' }),
  });
  return (
    <div id="publish" data-channel={publishChannel}>
      {form}
    </div>
  );
}

const historyText = ({ history: { size, ttlMs } }: ChannelView): string =>
  size === 0 ? 'Nothing' : `${count(size)} messages, ${shortDuration(ttlMs / 1000)}`;

function typeList({ types }: ChannelView): Html {
  const items = types.map(({ type, summary }) => (
    <li>
      <code safe>{type}</code> {escapeHtml(summary)}
    </li>
  ));
  return (
    <details>
      <summary safe>{plural(types.length, 'type')}</summary>
      <ul class="notes">{items}</ul>
    </details>
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
  return panel({
    id: 'channels',
    title: 'Channels',
    hint: 'Those that your account may hear. A click puts one into the inspector.',
    actions: (
      <span class="actions">
        <a href="/realtime/asyncapi.json">AsyncAPI document</a>
        <a href="/developer/guides/realtime">Guide</a>
      </span>
    ),
    body: table({
      caption: 'Channels that you may hear',
      columns: ['Channel', 'What it is for', 'Messages', 'Kept', 'You may', 'Shows who listens'],
      rows: channels.map((channel) => [
        channelLink(channel),
        escapeHtml(channel.description),
        typeList(channel),
        escapeHtml(historyText(channel)),
        channel.mayPublish ? badge('you may publish', 'info') : escapeHtml('listen'),
        channel.hasPresence ? escapeHtml('yes') : escapeHtml('no'),
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
    title: 'Realtime',
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
