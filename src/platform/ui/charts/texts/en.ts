export const texts = {
  chart: {
    /** Describes the drawing for screen readers. */
    description: (p: { caption: string }) => `${p.caption}. The table below has the same data.`,
    viewData: 'View data',
    time: 'Time',
    partial: 'Incomplete',
    partialStep: (p: { step: string }) => `${p.step} (incomplete)`,
    value: (p: { line: string; value: string }) => `${p.line}: ${p.value}`,
    noValue: '–',
  },
};
