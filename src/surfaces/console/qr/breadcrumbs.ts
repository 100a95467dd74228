import { qrCodeResource } from '../../../areas/qr/resource.ts';
import { capitalized } from '../../../lib/text/case.ts';
import type { NavLink } from '../../../platform/ui/components/navigation.tsx';
import { recordsPath, resourcePath } from '../resources/resource-paths.ts';
import { texts as resourceTexts } from '../resources/texts/en.ts';

/** The pages above those of a code, of files and of logos. */
export const qrBreadcrumbs: readonly NavLink[] = [
  { href: recordsPath, text: resourceTexts.index.title },
  { href: resourcePath(qrCodeResource), text: capitalized(qrCodeResource.texts.many) },
];
