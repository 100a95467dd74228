import { element } from '../../page/elements.ts';
import type { LiveSocket } from '../live/live-socket.ts';
import { texts } from './texts/en.ts';
import { createMessageList, type MessageList } from './message-list.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

type ShowNotice = (text: string, isError?: boolean) => void;

const historyLimit = 100;
const { inspector } = texts;
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function enable(ids: readonly string[], isEnabled: boolean): void {
  for (const id of ids) document.getElementById(id)?.toggleAttribute('disabled', !isEnabled);
}

function chip(channel: string, unsubscribe: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'btn btn-small' }, `${channel} ×`);
  button.ariaLabel = inspector.unsubscribe({ channel });
  button.onclick = unsubscribe;
  return element('li', {}, button);
}

function createSubscriptionView(live: LiveSocket, list: MessageList): Subscriptions {
  const chips = document.getElementById('listening');
  const state = document.getElementById('connection');
  const subscriptions: Subscriptions = createSubscriptions({
    live,
    list,
    showState(text, tone) {
      if (state) [state.textContent, state.className] = [text, `badge ${tone}`];
      const isConnected = tone === 'good';
      enable(['history', 'presence'], isConnected);
      if (isConnected) enable(['pause', 'clear'], true);
    },
    onChange: (channels) =>
      chips?.replaceChildren(
        ...channels.map((channel) => chip(channel, () => subscriptions.unsubscribe(channel))),
      ),
  });
  return subscriptions;
}

/** Requests about a channel. Their results are added to the list as notes. */
function createChannelRequests(live: LiveSocket, list: MessageList) {
  return {
    async history(channel: string): Promise<void> {
      const { history } = await live.call({
        history: { channel, limit: historyLimit, reverse: true },
      });
      const publications = history?.publications ?? [];
      const added = publications.filter(({ data, offset = 0 }) =>
        list.add({ channel, data, offset, isOld: true }),
      ).length;
      list.note(
        publications.length === 0
          ? inspector.noHistory({ channel })
          : inspector.history({ channel, count: publications.length, added }),
      );
    },

    async presence(channel: string): Promise<void> {
      const { presence } = await live.call({ presence: { channel } });
      const clients = Object.values(presence?.presence ?? {});
      const users = new Set(clients.map(({ user }) => user).filter((user) => user !== ''));
      list.note(inspector.presence({ channel, connections: clients.length, people: users.size }));
    },
  };
}

/** Publishes over the socket. Without JavaScript the form is posted instead. */
function publishBySocket(
  live: LiveSocket,
  subscriptions: Subscriptions,
  showNotice: ShowNotice,
): void {
  const form = document.getElementById('publish');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    // The general form handler would reload the page.
    event.stopPropagation();
    const channel = form.dataset.channel ?? '';
    try {
      const data: unknown = JSON.parse(form.querySelector('textarea')?.value ?? '');
      subscriptions.subscribe(channel);
      subscriptions.whenConnected(
        () =>
          void live.call({ publish: { channel, data } }).then(
            () => showNotice(inspector.published({ channel })),
            (error: unknown) => showNotice(textOf(error), true),
          ),
      );
    } catch {
      showNotice(inspector.notJson, true);
    }
  });
}

/** Starts the inspector of the realtime page, which shows messages as text and publishes them. */
export function startInspector(live: LiveSocket, showNotice: ShowNotice): void {
  const box = document.getElementById('inspector');
  const input = document.querySelector<HTMLSelectElement>('#channel');
  const pause = document.getElementById('pause');
  if (!box || !input || !pause) return;
  const list = createMessageList();
  const subscriptions = createSubscriptionView(live, list);
  const requests = createChannelRequests(live, list);
  const onClick = (id: string, action: () => void) =>
    document.getElementById(id)?.addEventListener('click', action);
  const onRequest = (id: keyof typeof requests) =>
    onClick(id, () => {
      const channel = input.value.trim();
      subscriptions.subscribe(channel);
      subscriptions.whenConnected(
        () =>
          void requests[id](channel).catch((error: unknown) =>
            list.note(inspector.problem({ channel, problem: textOf(error) }), true),
          ),
      );
    });

  document.getElementById('listen')?.addEventListener('submit', (event) => {
    event.preventDefault();
    subscriptions.subscribe(input.value.trim());
  });
  onClick('pause', () => list.pause(pause.ariaPressed !== 'true'));
  onClick('clear', () => list.clear());
  onRequest('history');
  onRequest('presence');
  publishBySocket(live, subscriptions, showNotice);
  document.getElementById('inspector-missing')?.remove();
  box.hidden = false;
  document.getElementById('connection')?.classList.add('badge', 'quiet');
}
