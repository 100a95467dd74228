import { escapeHtml } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import type { Page } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';
import type { CountedTap } from './service.ts';

const words = texts.taps;
const paragraphs = (text: string): string[] => text.split(/\n\s*\n/);

/**
 * What a tap shows: the heading and the text that belong to the tag, and whether it is genuine.
 * Never the name of the tag, which is for admins.
 */
export function tapPage({ tag: { title, page_text: text }, result }: CountedTap): Page {
  const isGenuine = result === 'genuine';
  return {
    title: title ?? (isGenuine ? words.genuine : words.welcome),
    body: (
      <>
        {isGenuine && title !== null && (
          <p>
            <Badge text={words.verified} tone="ok" />
          </p>
        )}
        {text !== null && paragraphs(text).map((each) => <p>{escapeHtml(each)}</p>)}
      </>
    ),
  };
}
