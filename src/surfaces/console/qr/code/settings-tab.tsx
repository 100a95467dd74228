import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { ConfirmForm } from '../../components/console-form.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { campaignFields, passwordFields, scheduleFields } from '../contents/condition-fields.tsx';
import { labelsOfCode } from '../labels/label-form.tsx';
import { codePath, newQrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import type { SettingsView } from './code-view.ts';

const words = texts.settings;

/** One form for all settings, in cards; those of short links only where there is one. */
const settingsForm = ({ code, sites }: SettingsView): Html => (
  <form method="post" action={codePath(code.id, 'settings')} class="settings-form" data-send>
    <div class="masonry">
      <Card id="general" title={words.general}>
        <Field
          id="settings-name"
          name="name"
          label={texts.code.name}
          value={code.name}
          isRequired
        />
      </Card>
      {code.dynamic && (
        <>
          <Card id="schedule" title={texts.create.folds.schedule}>
            {scheduleFields(code)}
          </Card>
          <Card id="campaign" title={texts.create.folds.campaign}>
            {campaignFields(code, sites)}
          </Card>
          <Card id="password" title={texts.create.folds.password}>
            {passwordFields(code)}
          </Card>
        </>
      )}
    </div>
    <div class="btn-row">
      <Button label={words.submit} kind="primary" />
    </div>
  </form>
);

/** Everything about a code that is not its target or its style, and its end. */
export const settingsTab = (view: SettingsView): Html => {
  const { code } = view;
  return (
    <>
      {settingsForm(view)}
      <div class="masonry">
        {labelsOfCode(code.id)}
        <Card id="copy-style" title={words.copyStyle} hint={words.copyStyleHint}>
          <Button
            label={words.copyStyle}
            icon="copy"
            href={withQuery(newQrPath, { style_of: code.id })}
          />
        </Card>
        <Card id="delete" title={words.delete} hint={words.deleteHint}>
          <ConfirmForm
            id="confirm-delete"
            action={`${codePath(code.id)}/delete`}
            open={words.delete}
            word={words.word}
            warning={words.deleteWarning}
            submit={words.delete}
          />
        </Card>
      </div>
    </>
  );
};
