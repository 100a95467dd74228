import { html, type Html } from '../../lib/text/html.ts';
import type { Page } from '../../platform/ui/pages.ts';
import type { OutboxView } from './schemas.ts';

type Message = OutboxView['messages'][number];

function article({ channel, to, subject, text, created_at: createdAt }: Message): Html {
  const kind = channel === 'sms' ? 'SMS' : 'E-mail';
  return html`<article>
<h2>${subject === null ? kind : `${kind}: ${subject}`}</h2>
<p>To <a href="/dev/outbox?to=${encodeURIComponent(to)}">${to}</a>, <time \
datetime="${createdAt}">${createdAt}</time></p>
<pre>${text}</pre>
</article>
`;
}

/** The outbox as a page. */
export function outboxPage({ messages }: OutboxView, to: string | undefined): Page {
  const all = html`<p>Only messages to ${to}. <a href="/dev/outbox">Show all</a></p>`;
  const body = html`<p>Messages that were not sent, because this is development. Newest first; \
reload for new ones.</p>
${to === undefined ? undefined : all}
${messages.length === 0 ? html`<p>There are none yet.</p>` : messages.map(article)}`;
  return { title: 'Outbox', isWide: true, body };
}
