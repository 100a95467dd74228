import { escapeHtml } from '../../lib/text/html.ts';
import type { SiteFacts } from './facts.ts';
import { contact, lastChanged, type PublicPage, type Section, sectioned } from './page-parts.tsx';

const rules: Section[] = [
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        There is no password: whoever can read your codes can sign in as you. Keep your mailbox and
        your phone safe, set up a second factor, and tell us when somebody else may have got in.
        Don’t let others use your account, and keep API keys secret.
      </p>
    ),
  },
  {
    id: 'forbidden',
    title: 'What is not allowed',
    body: (
      <ul>
        <li>Breaking the law with it, or other people’s rights.</li>
        <li>
          Sending codes to people who have not asked for them, or trying codes that are not yours.
        </li>
        <li>Sending names, addresses, health data or secrets in analytics events.</li>
        <li>
          Getting around limits, or loading the service so that others suffer. For security
          research, keep to your own data and tell us what you find.
        </li>
      </ul>
    ),
  },
  {
    id: 'data',
    title: 'Your data',
    body: (
      <p>
        What you send stays yours. You let us store and process it as far as running the service
        needs it. What we keep, and for how long, is under <a href="/privacy">Privacy</a> and in the{' '}
        <a href="/data-policy">data policy</a>. For what you send about other people you need a
        reason that the law accepts, and you have to tell them.
      </p>
    ),
  },
  {
    id: 'expect',
    title: 'What you can expect',
    body: (
      <p>
        We run the service with care, and say on the <a href="/status">status page</a> when
        something does not work. We don’t promise that it is always there, or without faults.
        Requests beyond the documented limits are refused. We may change or end functions; when that
        takes something away from you, we say so beforehand, as far as we can.
      </p>
    ),
  },
  {
    id: 'costs',
    title: 'Costs',
    body: (
      <p>
        Using this server is free unless we have agreed on something else with you. The
        machine-readable list is at <a href="/pricing">/pricing</a>.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <p>
        We are liable where the law says that liability can’t be excluded, such as for intent and
        gross negligence. Beyond that, and as far as the law allows, we are not liable for damage
        that comes from using the service, or from its not being there.
      </p>
    ),
  },
  {
    id: 'end',
    title: 'How it ends',
    body: (
      <p>
        You may stop at any time, and ask us to delete your account. We may close an account that
        breaks these rules, and tell you why unless the law forbids it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        When these rules change, the new ones are on this page, with their date. If you go on using
        the service after that, they are agreed.
      </p>
    ),
  },
];

/** The terms of service. */
export function termsPage(facts: SiteFacts): PublicPage {
  const { appName, legalName } = facts;
  return {
    path: '/terms',
    title: 'Terms',
    description:
      `The rules for using ${appName}: your account, what is not allowed, what you can ` +
      'expect, and how it ends.',
    heading: (
      <>
        <h1>Terms</h1>
        <p class="lead">
          These are the rules between you and {escapeHtml(legalName)} (“we”) for using{' '}
          {escapeHtml(appName)} on this server. By using it you agree to them.
        </p>
      </>
    ),
    ...sectioned([
      ...rules,
      {
        id: 'contact',
        title: 'Contact',
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
