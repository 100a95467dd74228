import { escapeHtml } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { linkTo } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import { bullets, legalPage, type PublicPage, type Section } from './page-parts.tsx';
import { texts } from './texts/en/terms.ts';

const links = {
  privacy: linkTo('/privacy'),
  policy: linkTo('/data-policy'),
  status: linkTo('/status'),
  pricing: linkTo('/pricing'),
};

const section = (id: string, { title, text }: { title: string; text: string }): Section => ({
  id,
  title,
  body: <p>{rich(text, links)}</p>,
});

const forbidden: Section = {
  id: 'forbidden',
  title: texts.forbidden.title,
  body: (
    <>
      <p safe>{texts.forbidden.lead}</p>
      {bullets(texts.forbidden.items)}
    </>
  ),
};

const sections: Section[] = [
  section('account', texts.account),
  forbidden,
  section('data', texts.data),
  section('expect', texts.expect),
  section('costs', texts.costs),
  section('liability', texts.liability),
  section('end', texts.end),
  section('changes', texts.changes),
];

/** The terms of service. */
export const termsPage = (facts: SiteFacts): PublicPage =>
  legalPage(facts, {
    path: '/terms',
    texts,
    lead: escapeHtml(texts.lead(facts)),
    sections,
    contactTitle: texts.contact,
  });
