import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { SplitForm } from '../../../../platform/ui/components/split-form.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { previewButton } from '../create/new-page.tsx';
import { previewId } from '../preview/preview-part.tsx';
import { codePath, newQrPath, previewPath } from '../qr-paths.ts';
import { choiceOf } from '../style/style-form.ts';
import { stylePanel } from '../style/style-panel.tsx';
import { texts } from '../texts/en.ts';
import type { StyleView } from './code-view.ts';

const words = texts.styleTab;

/** How a code looks, drawn while one chooses. */
export const styleTab = ({ code, logos, preview }: StyleView): Html => (
  <SplitForm
    action={codePath(code.id, 'style')}
    sideLabel={texts.create.side}
    attributes={{ 'data-send': true, 'data-preview': previewPath, 'data-into': previewId }}
    side={
      <>
        {preview}
        <p class="hint" safe>
          {words.printed}
        </p>
        <div class="btn-row split-actions">
          <Button label={words.submit} kind="primary" size="large" />
          {previewButton()}
          <Button label={words.more} href={withQuery(newQrPath, { style_of: code.id })} />
        </div>
      </>
    }
  >
    <input type="hidden" name="code_id" value={code.id} />
    <div class="tile">
      {stylePanel({ choice: choiceOf(QrStyle.parse(code.style), code.text), logos })}
    </div>
  </SplitForm>
);
