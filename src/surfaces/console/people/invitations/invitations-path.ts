import { sectionPath } from '../../sections.ts';

export const invitationsPath = `${sectionPath('users')}/invitations`;
