import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { type Html } from '../../../../lib/text/html.ts';
import { CheckField, Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { texts } from '../texts/en.ts';

const words = texts.conditions;

/** The present values of a code; none for a new one. */
type Present = QrCodeView | undefined;

const pair = (first: Html, second: Html): Html => (
  <div class="field-pair">
    {first}
    {second}
  </div>
);

const timeField = (name: 'starts_at' | 'expires_at', at: string | null | undefined): Html => (
  <Field
    id={`code-${name}`}
    name={name}
    type="datetime-local"
    label={words[name]}
    value={at?.slice(0, 16)}
    attributes={{ 'data-local-time': true }}
  />
);

/** When a code works, and how often. */
export const scheduleFields = (code: Present): Html => (
  <>
    {pair(timeField('starts_at', code?.starts_at), timeField('expires_at', code?.expires_at))}
    <p class="hint zone-note" data-zone-note safe>
      {texts.times.utc}
    </p>
    <Field
      id="code-expired_url"
      name="expired_url"
      label={words.expired_url}
      hint={words.expiredHint}
      value={code?.expired_url == null ? undefined : readableUrl(code.expired_url)}
      maxLength={2048}
      attributes={{ inputmode: 'url' }}
    />
    <Field
      id="code-scan_limit"
      name="scan_limit"
      type="number"
      label={words.scan_limit}
      hint={words.limitHint}
      value={code?.scan_limit == null ? undefined : String(code.scan_limit)}
      attributes={{ min: 1, max: 1_000_000_000 }}
    />
  </>
);

const campaignField = (
  name: 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content',
  code: Present,
): Html => (
  <Field
    id={`code-${name}`}
    name={name}
    label={words[name]}
    value={code?.[name] ?? undefined}
    maxLength={255}
    attributes={{ placeholder: words.examples[name] }}
  />
);

/** The campaign that the target and the figures get, and which site's figures count the scans. */
export const campaignFields = (code: Present, sites: readonly string[]): Html => (
  <>
    {pair(campaignField('utm_campaign', code), campaignField('utm_source', code))}
    {pair(campaignField('utm_medium', code), campaignField('utm_content', code))}
    {campaignField('utm_term', code)}
    <SelectField
      id="code-site_id"
      name="site_id"
      label={words.site_id}
      value={code?.site_id ?? ''}
      options={[
        ...(code === undefined ? [['', words.thisService] as const] : []),
        ...sites.map((key) => [key, key] as const),
      ]}
    />
    <CheckField
      id="code-forward_query"
      name="forward_query"
      label={words.forward_query}
      hint={words.forwardHint}
      isChecked={code?.forward_query ?? true}
    />
  </>
);

/** A password that people have to enter first. */
export const passwordFields = (code: Present): Html => (
  <>
    <Field
      id="code-password"
      name="password"
      type="password"
      label={code?.has_password === true ? words.newPassword : words.password}
      hint={code?.has_password === true ? words.passwordKept : words.passwordHint}
      maxLength={256}
      attributes={{ autocomplete: 'new-password' }}
    />
    {code?.has_password === true && (
      <CheckField id="code-no_password" name="no_password" label={words.noPassword} />
    )}
  </>
);
