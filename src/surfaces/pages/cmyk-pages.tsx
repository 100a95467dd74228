import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SiteFacts } from './facts.ts';
import { smsPicture } from './home-picture.tsx';
import { code, headed, paragraph, type PublicPage, section } from './page-parts.tsx';
import { snippets } from './snippets.ts';
import { texts } from './texts/en/cmyk.ts';

const { product, docs } = texts;
const { calls, more } = docs;

const endpoints: readonly (readonly [call: string, what: string])[] = [
  ['GET /api/auth/cmyk', calls.signInPage],
  ['POST /api/auth/cmyk/phone', calls.phone],
  ['POST /api/auth/cmyk/verify', calls.verify],
  ['POST /api/auth/cmyk/phone-only', calls.phoneOnly],
  ['POST /api/auth/cmyk/idp/initiate', calls.idpInitiate],
  ['GET /api/auth/cmyk/idp/callback', calls.idpCallback],
  ['POST /api/cmyk/auth/otp/send', calls.send],
  ['POST /api/cmyk/auth/otp/verify', calls.mobileVerify],
];

const actions = (
  <p class="actions">
    <Button label={product.readDocs} href="/cmyk/docs/" kind="primary" size="large" />{' '}
    <Button label={product.openSignIn} href="/api/auth/cmyk" size="large" />
  </p>
);

const steps: Html = (
  <ol class="steps-row">
    {product.how.steps.map(({ title, text }) => (
      <li>
        <h3 safe>{title}</h3>
        <p safe>{text}</p>
      </li>
    ))}
  </ol>
);

const protection: Html = (
  <ul class="checks">
    {product.included.items.map((item) => (
      <li>
        <Icon name="success" />
        <span>{rich(item, { code: inlineCode })}</span>
      </li>
    ))}
  </ul>
);

/** The page that presents the sub-product. */
export function cmykPage({ appName, baseUrl }: SiteFacts): PublicPage {
  const { how, sample, included } = product;
  const { sendSms, sendSmsResponse, verifySms } = snippets(baseUrl);
  return {
    path: '/cmyk/',
    title: product.title,
    description: product.description({ appName }),
    isWide: true,
    styles: ['home.css'],
    script: 'pages.js',
    heading: (
      <div class="band band-first">
        <div>
          <h1 safe>{product.heading}</h1>
          <p class="lead" safe>
            {product.lead({ appName })}
          </p>
          {actions}
        </div>
        {smsPicture}
      </div>
    ),
    body: (
      <>
        {section({ id: 'how', title: how.title, body: steps })}
        {section({
          id: 'sample',
          title: sample.title,
          body: (
            <>
              <p safe>{sample.lead}</p>
              <div class="halves">
                <div>
                  {code(sendSms, 'sh')}
                  {code(verifySms, 'sh')}
                </div>
                <div>{code(sendSmsResponse, 'json')}</div>
              </div>
            </>
          ),
        })}
        {section({ id: 'included', title: included.title, body: protection })}
      </>
    ),
  };
}

const callList = (
  <>
    <h2 safe>{calls.title}</h2>
    <ul class="entries">
      {endpoints.map(([call, what]) => (
        <li>
          <code safe>{call}</code>
          <p safe>{what}</p>
        </li>
      ))}
    </ul>
    {paragraph(calls.alias)}
  </>
);

const nextSteps = (
  <>
    <h2 safe>{more.title}</h2>
    <ul>
      <li>{rich(more.codes, { link: linkTo('/developer/guides/one-time-codes') })}</li>
      <li>{rich(more.sessions, { link: linkTo('/developer/guides/sign-in') })}</li>
      <li>{rich(more.reference, { link: linkTo('/developer/reference') })}</li>
    </ul>
  </>
);

/** The documentation of its API. */
export function cmykDocsPage({ appName, baseUrl }: SiteFacts): PublicPage {
  const { sendSms, sendSmsResponse, verifySms } = snippets(baseUrl);
  return {
    path: '/cmyk/docs/',
    title: docs.title,
    description: docs.description({ appName }),
    script: 'pages.js',
    heading: headed(docs.title, escapeHtml(docs.lead)),
    body: (
      <>
        <h2 safe>{docs.send.title}</h2>
        {code(sendSms, 'sh')}
        {code(sendSmsResponse, 'json')}
        {paragraph(docs.send.notes)}
        <h2 safe>{docs.verify.title}</h2>
        {code(verifySms, 'sh')}
        {paragraph(docs.verify.notes, '/developer/guides/second-factor')}
        {callList}
        {nextSteps}
      </>
    ),
  };
}
