import { escapeHtml, type Html } from '../../lib/text/html.ts';
import type { Page } from '../../platform/ui/pages.tsx';
import type { OutboxView } from './schemas.ts';

type Message = OutboxView['messages'][number];

function article({ channel, to, subject, text, created_at: createdAt }: Message): Html {
  const kind = channel === 'sms' ? 'SMS' : 'E-mail';
  return (
    <article>
      <h2 safe>{subject === null ? kind : `${kind}: ${subject}`}</h2>
      <p>
        To{' '}
        <a href={`/dev/outbox?to=${encodeURIComponent(to)}`} safe>
          {to}
        </a>
        ,{' '}
        <time datetime={createdAt} safe>
          {createdAt}
        </time>
      </p>
      <pre>{escapeHtml(text)}</pre>
    </article>
  );
}

/** The outbox as a page. */
export function outboxPage({ messages }: OutboxView, to: string | undefined): Page {
  const all = to !== undefined && (
    <p>
      Only messages to {escapeHtml(to)}. <a href="/dev/outbox">Show all</a>
    </p>
  );
  const body = (
    <>
      <p>
        Messages that were not sent, because this is development. Newest first; reload for new ones.
      </p>
      {all}
      {messages.length === 0 ? <p>There are none yet.</p> : messages.map(article)}
    </>
  );
  return { title: 'Outbox', isWide: true, body };
}
