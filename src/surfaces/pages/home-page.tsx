import { dataBlock, escapeHtml, type Html } from '../../lib/text/html.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import type { SiteFacts } from './facts.ts';
import { codeTabs } from './code-tabs.tsx';
import { bandPicture, dashboardPicture } from './home-picture.tsx';
import { type PublicPage, section, table } from './page-parts.tsx';
import { homeSamples } from './snippets.ts';
import { texts } from './texts/en/home.ts';

const { bands, promises, replaces } = texts;

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

const actions = (isSignupOpen: boolean): Html => (
  <p class="actions">
    <Button
      label={texts.getStarted}
      href={isSignupOpen ? '/signup' : '/install'}
      kind="primary"
      size="large"
    />{' '}
    <Button label={texts.viewDocs} href="/developer/" size="large" />
  </p>
);

/** The last word of the page: the same two ways on as at its top. */
const closing = (isSignupOpen: boolean): Html => (
  <section class="closing" aria-labelledby="closing">
    <h2 id="closing" safe>
      {texts.closing.title}
    </h2>
    <p class="lead" safe>
      {texts.closing.text}
    </p>
    {actions(isSignupOpen)}
  </section>
);

const hero = (isSignupOpen: boolean): Html => (
  <div class="hero">
    <h1 safe>{texts.heading}</h1>
    <p class="lead" safe>
      {texts.lead}
    </p>
    {actions(isSignupOpen)}
    {dashboardPicture}
  </div>
);

function band(id: keyof typeof bands, baseUrl: string): Html {
  const { title, text, features } = bands[id];
  return (
    <section class="band" aria-labelledby={id}>
      <div>
        <h2 id={id} safe>
          {title}
        </h2>
        <p class="lead" safe>
          {text}
        </p>
        <ul class="band-features">
          {features.map(([slug = '', name = '', what = '']) => (
            <li>
              <a href={`/developer/guides/${slug}`} safe>
                {name}
              </a>
              <p safe>{what}</p>
            </li>
          ))}
        </ul>
      </div>
      {bandPicture(id, baseUrl)}
    </section>
  );
}

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

const comparison = table({
  caption: replaces.caption,
  columns: replaces.columns,
  rows: replaces.rows.map((cells) => cells.map((cell) => escapeHtml(cell))),
});

/** The home page. */
export function homePage(facts: SiteFacts): PublicPage {
  return {
    path: '/',
    title: texts.title,
    description: texts.description(facts),
    isWide: true,
    styles: ['home.css'],
    script: 'pages.js',
    head: dataBlock('application/ld+json', homeData(facts)),
    heading: hero(facts.isSignupOpen),
    body: (
      <>
        {band('people', facts.baseUrl)}
        {band('understand', facts.baseUrl)}
        {band('reach', facts.baseUrl)}
        {band('inform', facts.baseUrl)}
        {section({
          id: 'code',
          title: texts.code.title,
          body: (
            <>
              <p safe>{texts.code.lead}</p>
              {codeTabs(texts.code, homeSamples(facts.baseUrl))}
              <p>
                <a href="/developer/guides" safe>
                  {texts.code.more}
                </a>
              </p>
            </>
          ),
        })}
        {section({ id: 'replaces', title: replaces.title, body: comparison })}
        {section({ id: 'promises', title: promises.title, body: promiseList })}
        {closing(facts.isSignupOpen)}
      </>
    ),
  };
}
