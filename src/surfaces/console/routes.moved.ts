import { z } from 'zod';
import { consolePath } from '../../lib/site-paths.ts';
import type { ConsoleRoute } from './request-context.ts';
import { page } from './routes.pages.ts';

/** Where pages are that were below `/records/`, by the first part of their old path. */
const moved: ReadonlyMap<string, string> = new Map([
  ['users', 'users'],
  ['contact-messages', 'contact'],
  ['saved-replies', 'contact/saved-replies'],
  ['signups', 'users/sign-ups'],
  ['waitlist-entries', 'waitlist/entries'],
  ['nfc-tags', 'nfc'],
  ['nfc-alarms', 'nfc/alarms'],
]);

/** Addresses from before, which bookmarks have, lead to the pages of today. */
export const movedRoutes: readonly ConsoleRoute[] = [
  page({
    id: 'console.moved_records',
    path: '/api/svc/console/records/*',
    summary: 'Console: where records were',
    params: z.object({ '*': z.string() }),
    show(_context, { '*': rest }, { reply }) {
      const [list = '', ...others] = rest.split('/');
      const isPerson = list === 'waitlist-entries' && others.length > 0;
      const place = isPerson ? 'waitlist' : moved.get(list);
      const path = place === undefined ? '' : [place, ...others.map(encodeURIComponent)].join('/');
      return reply.redirect(consolePath + path, 302);
    },
  }),
  page({
    id: 'console.moved_index',
    path: '/api/svc/console/records',
    summary: 'Console: where the list of records was',
    show: (_context, _input, { reply }) => reply.redirect(consolePath, 302),
  }),
];
