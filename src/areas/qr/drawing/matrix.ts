export const qrLevels = ['L', 'M', 'Q', 'H'] as const;
