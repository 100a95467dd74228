import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { CheckField, Field } from '../../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { SplitForm } from '../../../../platform/ui/components/split-form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { campaignFields, passwordFields, scheduleFields } from '../contents/condition-fields.tsx';
import { contentFields } from '../contents/content-fields.tsx';
import type { ContentType } from '../contents/content-types.ts';
import { newRuleFields } from '../contents/rule-fields.tsx';
import { newQrPath, previewPath, qrBreadcrumbs } from '../qr-paths.ts';
import type { StyleChoice } from '../style/style-form.ts';
import { stylePanel } from '../style/style-panel.tsx';
import { previewId } from '../preview/preview-part.tsx';
import { texts } from '../texts/en.ts';

export interface NewQrView {
  type: ContentType;
  /** A free short code. */
  code: string;
  /** The host of short links. */
  host: string;
  style: StyleChoice;
  logos: readonly LogoView[];
  /** The keys of all sites. */
  sites: readonly string[];
  preview: Html;
}

const words = texts.create;
const spareRules = 2;

/** What links have besides their target, folded. */
const linkOptions = ({ code, host, sites }: NewQrView): Html => (
  <div class="of-type of-url folds">
    <Disclosure summary={words.folds.link} id="fold-link">
      <Field
        id="code-code"
        name="code"
        label={words.shortLink({ host })}
        hint={words.shortLinkHint}
        value={code}
        maxLength={64}
        attributes={{ spellcheck: 'false', autocapitalize: 'none' }}
      />
      <CheckField id="code-fixed" name="fixed" label={words.fixed} hint={words.fixedHint} />
    </Disclosure>
    <Disclosure summary={words.folds.schedule} id="fold-schedule">
      {scheduleFields(undefined)}
    </Disclosure>
    <Disclosure summary={words.folds.campaign} id="fold-campaign">
      {campaignFields(undefined, sites)}
    </Disclosure>
    <Disclosure summary={words.folds.rules} id="fold-rules">
      <p class="hint" safe>
        {texts.rules.hint}
      </p>
      {newRuleFields(spareRules)}
    </Disclosure>
    <Disclosure summary={words.folds.password} id="fold-password">
      {passwordFields(undefined)}
    </Disclosure>
  </div>
);

/** The button that draws the picture where no script does. */
export const previewButton = (): Html => (
  <noscript>
    <Button label={texts.preview.draw} attributes={{ formaction: previewPath }} />
  </noscript>
);

const side = ({ preview, style, logos }: NewQrView): Html => (
  <>
    {preview}
    {stylePanel({ choice: style, logos })}
    <div class="btn-row split-actions">
      <Button label={words.submit} kind="primary" size="large" />
      {previewButton()}
    </div>
  </>
);

/** Makes a code: what it is for, what it says, and how it looks, drawn while one types. */
export const newQrPage = (view: NewQrView): ConsolePage => ({
  section: 'qr',
  title: words.title,
  breadcrumbs: qrBreadcrumbs,
  body: (
    <SplitForm
      action={newQrPath}
      side={side(view)}
      sideLabel={words.side}
      attributes={{ 'data-send': true, 'data-preview': previewPath, 'data-into': previewId }}
    >
      <div class="tile">
        {contentFields(view.type)}
        <Field id="code-name" name="name" label={words.name} hint={words.nameHint} />
        <p class="of-type of-static hint" safe>
          {words.staticNote}
        </p>
      </div>
      {linkOptions(view)}
    </SplitForm>
  ),
});
