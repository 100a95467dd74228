import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { EmptyState } from '../../platform/ui/components/feedback.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import type { OutboxMessage } from './outbox.ts';
import { texts } from './texts/en.ts';

/** What the page shows: the messages to one recipient or all, and one of them in full. */
export interface OutboxChoice {
  to?: string | undefined;
  id?: string | undefined;
}

function pathOf({ to, id }: OutboxChoice): string {
  const query = new URLSearchParams();
  if (to !== undefined) query.set('to', to);
  if (id !== undefined) query.set('id', id);
  return query.size === 0 ? '/dev/outbox' : `/dev/outbox?${query.toString()}`;
}

const titleOf = ({ subject, text }: OutboxMessage): string => subject ?? text.slice(0, 80);

const listItem = (message: OutboxMessage, isOpen: boolean, to: string | undefined): Html => (
  <li>
    <a href={pathOf({ to, id: message.id })} aria-current={isOpen ? 'true' : undefined}>
      <strong safe>{titleOf(message)}</strong>
      <span class="hint">
        {escapeHtml(`${texts.outbox.channels[message.channel]} · ${message.to} · `)}
        <Time at={message.createdAt} />
      </span>
    </a>
  </li>
);

/** A mail as its reader sees it, or the text of a text message. */
function article({ id, channel, to, subject, text, html, createdAt }: OutboxMessage): Html {
  const path = `/dev/outbox/${id}/html`;
  return (
    <article>
      <h2 safe>{subject ?? texts.outbox.channels[channel]}</h2>
      <p class="hint">
        {escapeHtml(texts.outbox.to)}{' '}
        <a href={pathOf({ to })} safe>
          {to}
        </a>
        , <Time at={createdAt} />
      </p>
      {html === null ? undefined : (
        <>
          <iframe src={path} title={texts.outbox.mail} />
          <p>
            <a href={path} safe>
              {texts.outbox.showHtml}
            </a>
          </p>
        </>
      )}
      <pre>{escapeHtml(text)}</pre>
    </article>
  );
}

/** The outbox as a page: the list on the left, one message on the right. */
export function outboxPage(messages: readonly OutboxMessage[], { to, id }: OutboxChoice): Page {
  const open = messages.find((message) => message.id === id) ?? messages[0];
  const body = (
    <>
      <p safe>{texts.outbox.lead}</p>
      {to !== undefined && (
        <p>
          {escapeHtml(texts.outbox.filtered({ to }))}{' '}
          <a href="/dev/outbox" safe>
            {texts.outbox.showAll}
          </a>
        </p>
      )}
      {open === undefined ? (
        <EmptyState icon="mail" text={texts.outbox.empty} />
      ) : (
        <div class="outbox">
          <ul>{messages.map((message) => listItem(message, message === open, to))}</ul>
          {article(open)}
        </div>
      )}
    </>
  );
  return {
    title: texts.outbox.title,
    isWide: true,
    styles: ['outbox.css'],
    body: <div class="outbox-page">{body}</div>,
  };
}
