import { Fragment } from '../../src/lib/jsx/jsx-runtime.ts';
import type { Content } from '../../src/lib/text/html.ts';

/** Renders what a page contains. */
export const markupOf = (content: Content): string => Fragment({ children: content });
