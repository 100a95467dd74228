import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { facts } from '../../components/elements.tsx';

const terms = [
  [
    'Visitor',
    'Somebody recognised within one day (UTC) by a salted hash of site, address and browser; ' +
      'the salts are thrown away, so that the same person counts anew on another day. ' +
      'Whom the site names counts once over all days.',
  ],
  [
    'Visit',
    'Events of a visitor with no pause of more than 30 minutes. ' +
      'It belongs to the time at which it began.',
  ],
  ['Bounce rate', 'Visits with at most one page view and no other interactive event, in per cent.'],
  [
    'Duration',
    'From the first to the last event of a visit. ' +
      'A visit with one event lasts 0 seconds and counts.',
  ],
  [
    'Engaged time',
    'How long a page was in front and somebody did something, measured by the script; ' +
      'a mean over the views of the page.',
  ],
  [
    'Scroll depth',
    'The deepest place of a page that a visit has seen, in per cent; a mean over visits.',
  ],
  ['Conversion', 'Visits with the event, in per cent of the visits of the period.'],
  ['Bots', 'Known programs are stored and left out of the figures. They can be counted in above.'],
] as const;

/** Definitions of the figures, on the same page. */
export const definitions = (): Html => (
  <details class="more">
    <summary>What these numbers mean</summary>
    {facts(terms.map(([term, meaning]) => [term, escapeHtml(meaning)]))}
  </details>
);

const dropReasons: Readonly<Record<string, string>> = {
  bot: 'a known bot',
  rate_limited: 'too many from one address',
  invalid: 'not understood',
  too_large: 'too large',
  site_unknown: 'a site that is not registered',
  host_not_allowed: 'a host that the site does not list',
  shielded_ip: 'an address that is shut out',
  shielded_country: 'a country that is shut out',
  shielded_page: 'a page that is shut out',
  site_closed: 'the site is closed',
  duplicate: 'the same event again',
  timestamp_too_old: 'too old',
  prefetch: 'loaded ahead by the browser',
  opted_out: 'opted out',
};

/** Why something was not stored, in words. */
export const dropReason = (code: string): string => dropReasons[code] ?? code.replaceAll('_', ' ');
