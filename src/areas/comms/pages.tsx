import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { Time } from '../../platform/ui/time.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import type { OutboxMessage } from './outbox.ts';
import { texts } from './texts/en.ts';

function article(message: OutboxMessage): Html {
  const { id, channel, to, subject, text, html } = message;
  const kind = texts.outbox.channels[channel];
  return (
    <article>
      <h2 safe>{subject === null ? kind : `${kind}: ${subject}`}</h2>
      <p>
        {escapeHtml(texts.outbox.to)}{' '}
        <a href={`/dev/outbox?to=${encodeURIComponent(to)}`} safe>
          {to}
        </a>
        , <Time at={message.createdAt} />
      </p>
      <pre>{escapeHtml(text)}</pre>
      {html !== null && (
        <p>
          <a href={`/dev/outbox/${id}/html`} safe>
            {texts.outbox.showHtml}
          </a>
        </p>
      )}
    </article>
  );
}

/** The outbox as a page. */
export function outboxPage(messages: readonly OutboxMessage[], to: string | undefined): Page {
  const all = to !== undefined && (
    <p>
      {escapeHtml(texts.outbox.filtered({ to }))}{' '}
      <a href="/dev/outbox" safe>
        {texts.outbox.showAll}
      </a>
    </p>
  );
  const body = (
    <>
      <p safe>{texts.outbox.lead}</p>
      {all}
      {messages.length === 0 ? <p safe>{texts.outbox.empty}</p> : messages.map(article)}
    </>
  );
  return { title: texts.outbox.title, isWide: true, body };
}
