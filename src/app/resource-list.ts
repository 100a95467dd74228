import type { BoundResource } from '../platform/resource/resource.ts';

/** The services whose resources the surfaces offer. */
export interface ResourceServices {
  directory: BoundResource;
  contactMessages: BoundResource;
  savedReplies: BoundResource;
  waitlistEntries: BoundResource;
  signupList: BoundResource;
  qrCodes: BoundResource;
  nfcTags: BoundResource;
  nfcAlarms: BoundResource;
}

/** Every resource, in the order of lists. GraphQL, MCP and the console are made from it. */
export const listResources = ({
  directory,
  contactMessages,
  savedReplies,
  waitlistEntries,
  signupList,
  qrCodes,
  nfcTags,
  nfcAlarms,
}: ResourceServices): readonly BoundResource[] => [
  directory,
  contactMessages,
  savedReplies,
  waitlistEntries,
  signupList,
  qrCodes,
  nfcTags,
  nfcAlarms,
];
