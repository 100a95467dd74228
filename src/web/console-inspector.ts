import { createMessageList } from './console-inspector-list.ts';
import { createListening } from './console-inspector-listening.ts';
import type { Live } from './console-socket.ts';

type Say = (text: string, isError?: boolean) => void;
type List = ReturnType<typeof createMessageList>;
type Listening = ReturnType<typeof createListening>;

const kept = 100;
const some = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function chip(channel: string, leave: () => void): HTMLElement {
  const [item, button] = [document.createElement('li'), document.createElement('button')];
  button.type = 'button';
  button.className = 'second';
  button.textContent = `${channel} ×`;
  button.ariaLabel = `Stop listening to ${channel}`;
  button.onclick = leave;
  item.append(button);
  return item;
}

function createListeningOf(live: Live, list: List): Listening {
  const [chips, state] = [
    document.getElementById('listening'),
    document.getElementById('connection'),
  ];
  const listening: Listening = createListening({
    live,
    list,
    tell(text, tone) {
      if (state) [state.textContent, state.className] = [text, `badge ${tone}`];
    },
    changed: (channels) =>
      chips?.replaceChildren(
        ...channels.map((channel) => chip(channel, () => listening.leave(channel))),
      ),
  });
  return listening;
}

/** What is asked of the server about a channel; the answer stands in the list. */
function createQuestions(live: Live, list: List) {
  return {
    async history(channel: string): Promise<void> {
      const { history } = await live.call({ history: { channel, limit: kept, reverse: true } });
      const publications = history?.publications ?? [];
      const fresh = publications.filter(({ data, offset = 0 }) =>
        list.add({ channel, data, offset, isOld: true }),
      ).length;
      list.note(
        publications.length === 0
          ? `Nothing is kept of ${channel}.`
          : `${some(publications.length, 'message is', 'messages are')} kept of ${channel}; ${fresh} of them not shown before.`,
      );
    },

    async presence(channel: string): Promise<void> {
      const { presence } = await live.call({ presence: { channel } });
      const clients = Object.values(presence?.presence ?? {});
      const people = new Set(clients.map(({ user }) => user).filter((user) => user !== ''));
      list.note(
        `${channel}: ${some(clients.length, 'connection', 'connections')}, ${some(people.size, 'person', 'people')}.`,
      );
    },
  };
}

/**
 * Publishes over the socket, so that the page stays as it is; without a script the form is sent.
 */
function publishHere(live: Live, listening: Listening, say: Say): void {
  const form = document.getElementById('publish');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    // The script that sends forms would load the page anew.
    event.stopPropagation();
    const channel = form.dataset.channel ?? '';
    try {
      const data: unknown = JSON.parse(form.querySelector('textarea')?.value ?? '');
      listening.listen(channel);
      listening.whenConnected(
        () =>
          void live.call({ publish: { channel, data } }).then(
            () => say(`Published to ${channel}.`),
            (error: unknown) => say(textOf(error), true),
          ),
      );
    } catch {
      say('The message must be JSON.', true);
    }
  });
}

/**
 * The inspector of the realtime page: listens to channels, shows what comes, publishes. All of it
 * is inserted as text.
 */
export function startInspector(live: Live, say: Say): void {
  const box = document.getElementById('inspector');
  const input = document.querySelector<HTMLInputElement>('#channel');
  const pause = document.getElementById('pause');
  if (!box || !input || !pause) return;
  const list = createMessageList();
  const listening = createListeningOf(live, list);
  const questions = createQuestions(live, list);
  const named = () => input.value.trim();
  const onClick = (id: string, action: () => void) =>
    document.getElementById(id)?.addEventListener('click', action);
  const ask = (question: (channel: string) => Promise<void>) => () => {
    const channel = named();
    listening.listen(channel);
    listening.whenConnected(
      () =>
        void question(channel).catch((error: unknown) =>
          list.note(`${channel}: ${textOf(error)}`, true),
        ),
    );
  };

  document.getElementById('listen')?.addEventListener('submit', (event) => {
    event.preventDefault();
    listening.listen(named());
  });
  onClick('pause', () => list.pause(pause.ariaPressed !== 'true'));
  onClick('clear', () => list.clear());
  onClick(
    'history',
    ask((channel) => questions.history(channel)),
  );
  onClick(
    'presence',
    ask((channel) => questions.presence(channel)),
  );
  publishHere(live, listening, say);
  document.getElementById('inspector-missing')?.remove();
  box.hidden = false;
  document.getElementById('connection')?.classList.add('badge', 'quiet');
}
