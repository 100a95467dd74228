/**
 * The version of the sentence that people agree to (`consent` in `texts/en.ts`, and the embedded
 * form). It is stored with each consent, as proof of what was agreed to: change both together.
 */
export const consentVersion = '2026-11-25';
