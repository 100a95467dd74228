export const contactStatuses = ['new', 'open', 'replied', 'closed', 'spam'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** How a sender got past the limit for everybody: a solved challenge, an API key, or not at all. */
export const contactProofs = ['solved', 'none', 'key'] as const;
export type ContactProof = (typeof contactProofs)[number];

/** Why a message was filed as spam on arrival. */
export const spamReasons = ['hidden_field', 'too_many_from_address'] as const;
export type SpamReason = (typeof spamReasons)[number];
