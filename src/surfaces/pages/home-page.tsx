import { dataBlock, escapeHtml } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import { homePicture } from './home-picture.tsx';
import { type Card, cards, code, paragraph, type PublicPage, section } from './page-parts.tsx';
import { snippets } from './snippets.ts';
import { texts } from './texts/en/home.ts';

const { features, tryIt, promises, programs } = texts;

const parts: readonly Card[] = [
  { href: '/developer/guides/sign-in', icon: 'key', ...features.signIn },
  { href: '/developer/guides/second-factor', icon: 'shield', ...features.secondFactor },
  { href: '/developer/guides/device-security', icon: 'devices', ...features.devices },
  { href: '/developer/guides/analytics', icon: 'analytics', ...features.analytics },
  { href: '/developer/guides/realtime', icon: 'realtime', ...features.realtime },
  { href: '/developer/guides/status-page', icon: 'status', ...features.status },
];

/** Structured data for search engines (schema.org). */
function homeData({ appName, baseUrl, legalName, contactEmail }: SiteFacts) {
  const publisher = {
    '@type': 'Organization',
    name: legalName,
    ...(contactEmail === undefined ? {} : { email: contactEmail }),
  };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: appName, url: `${baseUrl}/`, inLanguage: 'en', publisher },
      {
        '@type': 'SoftwareApplication',
        name: appName,
        url: `${baseUrl}/`,
        applicationCategory: 'DeveloperApplication',
        offers: { '@type': 'Offer', price: '0', priceCurrency: 'EUR' },
      },
    ],
  };
}

const actions = (
  <p class="actions">
    <Button label={texts.getStarted} href="/install" kind="primary" size="large" />{' '}
    <Button label={texts.viewDocs} href="/docs" size="large" />
  </p>
);

const promiseList = (
  <ul class="checks">
    {promises.items.map((item) => (
      <li>
        <Icon name="success" />
        {escapeHtml(item)}
      </li>
    ))}
  </ul>
);

const programText = (
  <p>
    {rich(programs.text, { openapi: linkTo('/api/docs'), code: inlineCode, docs: linkTo('/docs') })}
  </p>
);

/** The home page. */
export function homePage(facts: SiteFacts): PublicPage {
  const { appName } = facts;
  const { track } = snippets(facts.baseUrl);
  return {
    path: '/',
    title: texts.title,
    description: texts.description({ appName }),
    isWide: true,
    script: 'pages.js',
    head: dataBlock('application/ld+json', homeData(facts)),
    heading: (
      <div class="hero">
        <div>
          <h1 safe>{texts.heading}</h1>
          <p class="lead" safe>
            {texts.lead({ appName })}
          </p>
          {actions}
        </div>
        {homePicture}
      </div>
    ),
    body: (
      <>
        {section({ id: 'parts', title: features.title, body: cards(parts) })}
        <div class="halves">
          {section({
            id: 'try',
            title: tryIt.title,
            body: (
              <>
                <p safe>{tryIt.lead}</p>
                {code(track, 'sh')}
                {paragraph(tryIt.answer, '/install')}
              </>
            ),
          })}
          {section({ id: 'promises', title: promises.title, body: promiseList })}
        </div>
        {section({ id: 'programs', title: programs.title, body: programText })}
      </>
    ),
  };
}
