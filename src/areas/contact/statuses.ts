export const contactStatuses = ['new', 'open', 'replied', 'closed', 'spam'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** What raised the sender's limit: a solved proof-of-work challenge, an API key, or nothing. */
export const contactProofs = ['solved', 'none', 'key'] as const;
export type ContactProof = (typeof contactProofs)[number];

/** Why a message was filed as spam on arrival. */
export const spamReasons = ['hidden_field', 'too_many_from_address'] as const;
export type SpamReason = (typeof spamReasons)[number];
