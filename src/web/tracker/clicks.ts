import { listen } from './listen.ts';
import { send } from './send.ts';

const files = /\.(pdf|zip|dmg|exe|apk|docx?|xlsx?|pptx?|csv|t?gz|7z|mp[34])$/i;

function onClick({ target }: MouseEvent): void {
  // Whatever is clicked, also by scripts: documents have no `closest`.
  const link = (target as Partial<Element>).closest?.<HTMLAnchorElement>('a[href]');
  if (!link) return;
  const { href: url, host, pathname, download } = link;
  if (download || files.test(pathname)) send('file_download', { props: { url } });
  // Addresses such as mailto: have no host, and links within pictures none of these members.
  else if (host && host !== location.host) send('outbound_click', { props: { url } });
}

/** Reports outbound links, files and sent forms. A field called `action` hides the form's own. */
export function watchClicks(): void {
  listen(document, 'click auxclick', onClick);
  listen(document, 'submit', ({ target }: SubmitEvent) =>
    send('form_submit', {
      props: { url: String((target as unknown as { action: unknown }).action) },
    }),
  );
}
