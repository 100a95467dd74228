import { escapeHtml } from '../../lib/html.ts';
import type { OutboxView } from './schemas.ts';

type Message = OutboxView['messages'][number];

function article({ channel, to, subject, text, created_at: createdAt }: Message): string {
  const kind = channel === 'sms' ? 'SMS' : 'E-mail';
  const heading = subject === null ? kind : `${kind}: ${subject}`;
  return `<article>
<h2>${escapeHtml(heading)}</h2>
<p>To <a href="/dev/outbox?to=${escapeHtml(encodeURIComponent(to))}">${escapeHtml(to)}</a>, <time datetime="${createdAt}">${createdAt}</time></p>
<pre>${escapeHtml(text)}</pre>
</article>`;
}

/** The outbox for people: no scripts, the style sheet beside it. */
export function outboxPage({ messages }: OutboxView, to: string | undefined): string {
  const all = to === undefined ? '' : `<p>Only messages to ${escapeHtml(to)}. <a href="/dev/outbox">Show all</a></p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dev/outbox/style.css">
</head>
<body>
<main>
<h1>Outbox</h1>
<p>Messages that were not sent, because this is development. Newest first; reload for new ones.</p>
${all}${messages.length === 0 ? '<p>There are none yet.</p>' : messages.map(article).join('\n')}
</main>
</body>
</html>
`;
}

export const outboxStyle = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem; }
article { border: 1px solid #767676; border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
h2 { margin: 0; font-size: 1.1rem; }
article p { margin: .25rem 0 .75rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1rem; }
a { color: #0b57d0; }
@media (prefers-color-scheme: dark) {
  body { color: #ececec; background: #161616; }
  a { color: #a8c7fa; }
}
`;
