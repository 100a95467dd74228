import { z } from 'zod';
import { curlEvent, keyHeader } from '../../../../areas/analytics/ingest/curl-commands.ts';
import {
  type ApiKeyView,
  CreateApiKeyBody,
  type CreatedApiKeyView,
} from '../../../../areas/api-keys/schemas.ts';
import type { ApiKeyScope } from '../../../../lib/access.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Banner, Toast } from '../../../../platform/ui/components/feedback.tsx';
import { CodeBlock } from '../../../../platform/ui/components/code-block.tsx';
import { CheckField, FieldSet } from '../../../../platform/ui/components/form.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { Facts } from '../../../../platform/ui/components/table.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { summaryPage } from '../../components/summary-page.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';

const home = sectionPath('keys');
const words = texts.keys;
const breadcrumbs = [{ href: home, text: words.title }];

/** The form for a new key. Its scopes are fields `scope.…`. */
export const NewKeyForm = z.object({
  name: CreateApiKeyBody.shape.name,
  days: z.enum(['30', '90', '365']).nullable().default('90'),
});

/** What a key may do, by the choice in the form. */
export const keyChoices = {
  send: ['analytics:write'],
  read: ['analytics:read'],
  both: ['analytics:write', 'analytics:read'],
  all: ['admin'],
} as const satisfies Readonly<Record<string, readonly ApiKeyScope[]>>;
const choiceNames = ['send', 'read', 'both', 'all'] as const;
type KeyChoice = (typeof choiceNames)[number];

/** What a scope allows, in words. */
export const scopeBadge = (scope: ApiKeyScope): Html => (
  <Badge text={words.scopes[scope]} tone={scope === 'admin' ? 'warn' : 'neutral'} />
);

const choiceField = (choice: KeyChoice): Html => (
  <CheckField
    id={`key-${choice}`}
    name="allows"
    type="radio"
    value={choice}
    label={words.create.choices[choice].label}
    hint={words.create.choices[choice].hint}
    isChecked={choice === 'send'}
  />
);

/** A call that a key with these scopes may make: it reads, unless the key may only send. */
function exampleCall(scopes: readonly ApiKeyScope[], baseUrl: string): string {
  const header = keyHeader;
  if (scopes.includes('analytics:read') || scopes.includes('admin'))
    return `curl -s ${baseUrl}/analytics/sites -H "${header}"`;
  return curlEvent(baseUrl, { event: 'signup', url: '/welcome', site_id: 'example.com' }, header);
}

/** The call of each choice: the style shows that of the chosen one. */
const choiceExample = (choice: KeyChoice, baseUrl: string): Html => (
  <div class={`key-example key-example-${choice}`}>
    {choice === 'all' && <Banner tone="warn" text={words.create.warning} />}
    <CodeBlock
      caption={words.create.example}
      code={exampleCall(keyChoices[choice], baseUrl)}
      language="sh"
    />
  </div>
);

/** The page of the form for a new key. */
export function newKeyPage(baseUrl: string): ConsolePage {
  const { create } = words;
  const field = fieldsOf(NewKeyForm, { idPrefix: 'key', texts: create });
  return formPage({
    section: 'keys',
    title: create.title,
    breadcrumbs,
    children: (
      <ConsoleForm
        action={home}
        submit={{ label: create.submit }}
        cancel={home}
        attributes={{ class: 'form key-form' }}
      >
        {field('name')}
        <FieldSet legend={create.allows}>{choiceNames.map(choiceField)}</FieldSet>
        {choiceNames.map((choice) => choiceExample(choice, baseUrl))}
        {field('days')}
      </ConsoleForm>
    ),
  });
}

/** The page of a new key, which is shown only once. */
export function createdKeyPage(
  { name, key, scopes, expires_at: ends }: CreatedApiKeyView,
  baseUrl: string,
): ConsolePage {
  const page = words.createdKey;
  return {
    section: 'keys',
    title: page.title,
    breadcrumbs,
    notice: <Toast text={page.notice} />,
    body: (
      <div class="tile form-page">
        <Copy text={key} label={page.key} />
        <Facts
          facts={[
            { name: page.name, value: escapeHtml(name) },
            { name: page.scopes, value: scopes.map(scopeBadge) },
            { name: page.expires, value: <OptionalTime at={ends} none={words.noExpiry} /> },
          ]}
        />
        <p class="hint" safe>
          {page.usage}
        </p>
        <Copy text={`API_KEY='${key}'\n${exampleCall(scopes, baseUrl)}`} label={page.example} />
      </div>
    ),
  };
}

/** Sums up what is lost with a key. */
export const revokeKeyPage = ({ id, name, scopes, last_used_at: used }: ApiKeyView): ConsolePage =>
  summaryPage({
    section: 'keys',
    title: words.revokeTitle({ name }),
    breadcrumbs,
    text: words.revokeWarning,
    facts: [
      { name: words.columns.scopes, value: scopes.map(scopeBadge) },
      { name: words.columns.lastUsed, value: <OptionalTime at={used} /> },
    ],
    action: `${home}/${id}/revoke`,
    submit: { label: words.revokeConfirm, kind: 'danger' },
  });
