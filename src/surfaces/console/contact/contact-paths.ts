import { sectionPath } from '../sections.ts';

export const inboxPath = sectionPath('contact');
export const threadPath = (id: string): string => `${inboxPath}/${id}`;
