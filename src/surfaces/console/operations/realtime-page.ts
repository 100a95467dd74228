import { html, type Html } from '../../../lib/text/html.ts';
import type { Realtime } from '../../ws/service.ts';
import type { ConsolePage } from '../layout.ts';
import { count, plural, shortDuration } from '../components/number-format.ts';
import { badge, cards, copyBlock, panel } from '../components/elements.ts';
import { postForm, textarea } from '../components/forms.ts';
import { numberColumn, table } from '../components/tables.ts';
import { withQuery } from '../components/navigation.ts';
import { sectionPath } from '../sections.ts';

/** A channel, or a family of them, that the viewer may hear. */
export interface ChannelView {
  /** Such as `status:{component}`. */
  name: string;
  description: string;
  mayPublish: boolean;
  hasPresence: boolean;
  /** What is kept of it for those who come back. */
  history: { size: number; ttlMs: number };
  /** Messages that are told on it. */
  types: readonly { type: string; summary: string }[];
  /** Channels of it that there are now. */
  names: readonly string[];
}

export interface RealtimeView {
  figures: ReturnType<Realtime['metrics']>;
  channels: readonly ChannelView[];
  /** The one that is to be listened to. */
  channel: string;
  /** Address of the socket, for programs. */
  socket: string;
}

const home = sectionPath('realtime');

/** The channel of the form that publishes. */
export const publishChannel = 'test';

function numbers({
  figures: { endpoints, messages_sent_total: sent, slow_disconnects_total: slow },
}: RealtimeView): Html {
  const sum = (valueOf: (endpoint: (typeof endpoints)[number]) => number) =>
    count(endpoints.reduce((all, endpoint) => all + valueOf(endpoint), 0));
  return cards('realtime-cards', 'Sockets of this replica', [
    { name: 'Connections', value: sum(({ connections }) => connections), note: 'on this replica' },
    {
      name: 'Subscriptions',
      value: sum(({ subscriptions }) => subscriptions),
      note: 'on this replica',
    },
    { name: 'Messages sent', value: count(sent), note: 'since the start' },
    {
      name: 'Cut off',
      value: count(slow),
      note: 'read too slowly',
      ...(slow > 0 ? { tone: 'warn' as const } : {}),
    },
  ]);
}

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
        html`<code>${path}</code>`,
        count(connections),
        count(subscriptions),
      ]),
    }),
  });
}

/** Shown by the script, which fills it; all it shows is inserted as text. */
function inspectorPanel({ channels, channel, socket }: RealtimeView): Html {
  const names = channels.flatMap((each) => each.names);
  const body = html`<div class="empty" id="inspector-missing"><p>The inspector needs JavaScript. Any WebSocket client hears public channels:</p>${copyBlock(`websocat '${socket}?mode=uni&channels=${channel}'`)}</div>
<div id="inspector" hidden>
<form class="filters" id="listen"><div class="field"><label for="channel">Channel</label><input id="channel" type="text" list="channel-names" value="${channel}" required maxlength="128" autocomplete="off" spellcheck="false"></div><datalist id="channel-names">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
<button type="submit">Listen</button></form>
<p class="connection"><span id="connection" role="status">Not connected</span></p>
<ul class="chips" id="listening"></ul>
<div class="row"><button type="button" class="second" id="pause" aria-pressed="false">Pause</button><button type="button" class="second" id="clear">Clear</button><button type="button" class="second" id="history">Show what is kept</button><button type="button" class="second" id="presence">Who listens</button></div>
<p class="hint"><span id="shown">No messages yet.</span> The newest stands first; 200 are shown at most.</p>
<div class="feed messages" role="region" aria-label="Messages" tabindex="0"><ol id="messages"></ol></div>
</div>`;
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
  return html`<div id="publish" data-channel="${publishChannel}">${panel({ id: 'say', title: `Publish to ${publishChannel}`, hint: 'Everybody who listens to it gets the message.', body: postForm({ action: `${home}/publish`, inputs, button: 'Publish' }) })}</div>`;
}

const kept = ({ history: { size, ttlMs } }: ChannelView): string =>
  size === 0 ? 'Nothing' : `${count(size)} messages, ${shortDuration(ttlMs / 1000)}`;

const typesOf = ({ types }: ChannelView): Html =>
  html`<details><summary>${plural(types.length, 'type')}</summary><ul class="notes">${types.map(({ type, summary }) => html`<li><code>${type}</code> ${summary}</li>`)}</ul></details>`;

function channelsPanel({ channels }: RealtimeView): Html {
  const nameOf = ({ name, names }: ChannelView) => {
    const [first] = names;
    return first === undefined
      ? html`<code>${name}</code>`
      : html`<a href="${withQuery(home, { channel: first })}"><code>${name}</code></a>`;
  };
  const rows = channels.map((each) => [
    nameOf(each),
    each.description,
    typesOf(each),
    kept(each),
    each.mayPublish ? badge('you may publish', 'info') : 'listen',
    each.hasPresence ? 'yes' : 'no',
  ]);
  return panel({
    id: 'channels',
    title: 'Channels',
    hint: 'Those that your account may hear. A click puts one into the inspector.',
    actions: html`<span class="actions"><a href="/realtime/asyncapi.json">AsyncAPI document</a><a href="/developer/guides/realtime">Guide</a></span>`,
    body: table({
      caption: 'Channels that you may hear',
      columns: ['Channel', 'What it is for', 'Messages', 'Kept', 'You may', 'Shows who listens'],
      rows,
    }),
  });
}

/** The sockets, and an inspector that hears what is said on them. */
export function realtimePage(view: RealtimeView, notice: Html | undefined): ConsolePage {
  return {
    section: 'realtime',
    title: 'Realtime',
    notice,
    every: 10,
    body: html`${numbers(view)}
<div class="columns">${inspectorPanel(view)}<div>${publishPanel(view.channels)}${endpointsPanel(view)}</div></div>
${channelsPanel(view)}`,
  };
}
