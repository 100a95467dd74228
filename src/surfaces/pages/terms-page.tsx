import { rich } from '../../lib/text/rich.ts';
import type { SiteFacts } from './facts.ts';
import {
  contact,
  lastChanged,
  legalDate,
  linkTo,
  type PublicPage,
  type Section,
  sectioned,
} from './page-parts.tsx';
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
      <ul>
        {texts.forbidden.items.map((item) => (
          <li safe>{item}</li>
        ))}
      </ul>
    </>
  ),
};

const rules: Section[] = [
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
export function termsPage(facts: SiteFacts): PublicPage {
  const { appName, legalName } = facts;
  return {
    path: '/terms',
    lastModified: legalDate,
    title: texts.title,
    description: texts.description({ appName }),
    heading: (
      <>
        <h1 safe>{texts.title}</h1>
        <p class="lead" safe>
          {texts.lead({ appName, legalName })}
        </p>
      </>
    ),
    ...sectioned([
      ...rules,
      {
        id: 'contact',
        title: texts.contact,
        body: (
          <>
            {contact(facts)}
            {lastChanged}
          </>
        ),
      },
    ]),
  };
}
