import { rich } from '../../lib/text/rich.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import type { SiteFacts } from './facts.ts';
import { code, inlineCode, linkTo, type PublicPage } from './page-parts.tsx';
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

/** The page that presents the sub-product. */
export function cmykPage({ appName }: SiteFacts): PublicPage {
  const { how, included } = product;
  return {
    path: '/cmyk/',
    title: product.title,
    description: product.description({ appName }),
    heading: (
      <>
        <h1 safe>{product.heading}</h1>
        <p class="lead" safe>
          {product.lead({ appName })}
        </p>
      </>
    ),
    body: (
      <>
        {actions}
        <h2 safe>{how.title}</h2>
        <ol>
          {how.steps.map((step) => (
            <li safe>{step}</li>
          ))}
        </ol>
        <p safe>{how.account}</p>
        <h2 safe>{included.title}</h2>
        <ul>
          <li>{rich(included.attempts, { code: inlineCode })}</li>
          <li safe>{included.limits}</li>
          <li safe>{included.tokens}</li>
        </ul>
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
    <p>{rich(calls.alias, { code: inlineCode })}</p>
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
    heading: (
      <>
        <h1 safe>{docs.title}</h1>
        <p class="lead" safe>
          {docs.lead}
        </p>
      </>
    ),
    body: (
      <>
        <h2 safe>{docs.send.title}</h2>
        {code(sendSms, 'sh')}
        {code(sendSmsResponse, 'json')}
        <p>{rich(docs.send.notes, { code: inlineCode })}</p>
        <h2 safe>{docs.verify.title}</h2>
        {code(verifySms, 'sh')}
        <p>
          {rich(docs.verify.notes, {
            code: inlineCode,
            link: linkTo('/developer/guides/second-factor'),
          })}
        </p>
        {callList}
        {nextSteps}
      </>
    ),
  };
}
