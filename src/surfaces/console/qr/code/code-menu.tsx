import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { DrawerItem } from '../../components/drawer-link.tsx';
import { MenuLink } from '../../components/menu-link.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { labelsPath } from '../labels/label-form.tsx';
import { codeFormPath, codePath, newQrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';

const words = texts.code;
const otherFormats = ['svg', 'pdf'] as const;
const copiesOnSheet = { l7160: 21, 5160: 30 } as const;

const picturePath = ({ id }: QrCodeView, format: string): string =>
  `${codePath(id)}/picture?format=${format}`;

/** A sheet of labels that all have this code. */
const sheetPath = ({ id }: QrCodeView, layout: 'l7160' | '5160'): string =>
  withQuery(labelsPath, { id, layout, copies: copiesOnSheet[layout] });

const downloads = (code: QrCodeView): Html => (
  <div class="btn-row split-button">
    <Button
      label={words.download.png}
      kind="primary"
      icon="download"
      href={picturePath(code, 'png')}
    />
    <Menu
      id="formats"
      label={words.download.others}
      icon="chevron-down"
      isIconOnly
      items={[
        ...otherFormats.map((format) => (
          <MenuLink
            href={picturePath(code, format)}
            icon="download"
            label={words.download[format]}
          />
        )),
        <MenuLink
          href={sheetPath(code, 'l7160')}
          icon="download"
          label={words.download.labelsA4}
        />,
        <MenuLink
          href={sheetPath(code, '5160')}
          icon="download"
          label={words.download.labelsLetter}
        />,
        <DrawerItem
          href={codeFormPath(code.id, 'labels')}
          icon="print"
          label={words.download.labels}
        />,
      ]}
    />
  </div>
);

const rareActions = ({ id }: QrCodeView): Html => (
  <Menu
    id="code-menu"
    label={words.more}
    isIconOnly
    items={[
      <DrawerItem href={codeFormPath(id, 'name')} icon="edit" label={words.rename} />,
      <MenuLink
        href={withQuery(newQrPath, { style_of: id })}
        icon="copy"
        label={words.duplicateStyle}
      />,
      <DrawerItem href={codeFormPath(id, 'delete')} icon="trash" label={words.delete} isApart />,
    ]}
  />
);

/** What can be done with a code, beside its name. */
export const codeActions = (code: QrCodeView): Html => (
  <>
    {rareActions(code)}
    {downloads(code)}
  </>
);
