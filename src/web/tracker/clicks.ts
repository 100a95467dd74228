import { listen } from './listen.ts';
import { send } from './send.ts';

const fileExtensions = /\.(pdf|zip|dmg|exe|apk|docx?|xlsx?|pptx?|csv|t?gz|7z|mp[34])$/i;

function onClick({ target }: MouseEvent): void {
  // Scripts can click anything, also a document, which has no `closest`.
  const link = (target as Partial<Element>).closest?.<HTMLAnchorElement>('a[href]');
  if (!link) return;
  const { href: url, host, pathname, download } = link;
  if (download || fileExtensions.test(pathname)) send('file_download', { props: { url } });
  // Addresses such as mailto: have no host, and links within SVG none of these properties.
  else if (host && host !== location.host) send('outbound_click', { props: { url } });
}

/** Reports outbound links, files and submitted forms. A field named `action` shadows the form's. */
export function watchClicks(): void {
  listen(document, 'click auxclick', onClick);
  listen(document, 'submit', ({ target }: SubmitEvent) =>
    send('form_submit', {
      props: { url: String((target as unknown as { action: unknown }).action) },
    }),
  );
}
