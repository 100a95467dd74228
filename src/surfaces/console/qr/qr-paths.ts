import { consolePath } from '../../../lib/site-paths.ts';
import type { NavLink } from '../../../platform/ui/components/navigation.tsx';
import { texts } from './texts/en.ts';

export const qrPath = `${consolePath}qr` as const;
export const newQrPath = `${qrPath}/new` as const;
/** Draws what a form describes. */
export const previewPath = `${qrPath}/preview` as const;

export const codeTabs = ['scans', 'targets', 'style', 'settings'] as const;
export type CodeTab = (typeof codeTabs)[number];

/** The page of a code: its scans, or another tab. */
export const codePath = (id: string, tab: CodeTab = 'scans'): string =>
  tab === 'scans' ? `${qrPath}/${id}` : `${qrPath}/${id}/${tab}`;

/** The page of a form about a code, which opens in a drawer. */
export const codeFormPath = (id: string, form: 'name' | 'labels' | 'delete'): string =>
  `${qrPath}/${id}/${form}`;

/** The rules of a code, or one of them. */
export const rulePath = (id: string, at?: number): string =>
  at === undefined ? `${qrPath}/${id}/rules` : `${qrPath}/${id}/rules/${at}`;

/** The page above those of a code, of files and of logos. */
export const qrBreadcrumbs: readonly NavLink[] = [{ href: qrPath, text: texts.list.title }];
