import { listen } from './svc-listen.ts';
import { send } from './svc-send.ts';

const files = /\.(pdf|zip|dmg|exe|apk|docx?|xlsx?|pptx?|csv|t?gz|7z|mp[34])$/i;

function onClick({ target }: MouseEvent): void {
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]');
  if (!link) return;
  const { href: url, host, pathname, download } = link;
  if (download || files.test(pathname)) send('file_download', { props: { url } });
  else if (url.startsWith('http') && host !== location.host) send('outbound_click', { props: { url } });
}

/** Tells of links that lead elsewhere, of files, and of forms that are sent. */
export function watchClicks(): void {
  listen(document, 'click auxclick', onClick);
  listen(document, 'submit', ({ target }: SubmitEvent) => send('form_submit', { props: { url: (target as HTMLFormElement).action } }));
}
