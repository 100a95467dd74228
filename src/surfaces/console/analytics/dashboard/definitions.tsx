import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { Facts } from '../../../../platform/ui/components/table.tsx';
import { texts } from '../texts/en.ts';

const { summary, terms, meanings, dropReasons } = texts.definitions;

const names = [
  'visitor',
  'visit',
  'bounceRate',
  'duration',
  'engagedTime',
  'scrollDepth',
  'conversion',
  'bots',
] as const;

/** Definitions of the figures, on the same page. */
export const definitions = (): Html => (
  <Disclosure summary={summary}>
    <Facts
      facts={names.map((name) => ({ name: terms[name], value: escapeHtml(meanings[name]) }))}
    />
  </Disclosure>
);

const reasons = new Map<string, string>(Object.entries(dropReasons));

/** Why something was not stored, in words. */
export const dropReason = (code: string): string => reasons.get(code) ?? code.replaceAll('_', ' ');
