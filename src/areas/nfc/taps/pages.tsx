import { escapeHtml } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import type { SitePage } from '../../../platform/ui/pages.tsx';
import { texts } from '../texts/en.ts';
import type { CountedTap } from './service.ts';

const paragraphs = (text: string): string[] => text.split(/\n\s*\n/);

/** What a tap shows: the text of the tag, and whether it is genuine. */
export const tapPage = ({ tag: { name, page_text: text }, result }: CountedTap): SitePage => ({
  title: name,
  body: (
    <>
      {result === 'genuine' && (
        <p>
          <Badge text={texts.taps.verified} tone="ok" />
        </p>
      )}
      {text !== null && paragraphs(text).map((each) => <p>{escapeHtml(each)}</p>)}
    </>
  ),
});
