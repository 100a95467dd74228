export const texts = {
  chart: {
    /** Describes the drawing for screen readers. */
    description: (p: { caption: string }) => `${p.caption}. The table below has the same data.`,
    viewData: 'View data',
    time: 'Time',
    change: 'Change',
    note: 'Annotation',
    partial: 'So far',
    partialStep: (p: { step: string }) => `${p.step} (so far)`,
    noValue: '–',
    empty: 'No data in this period.',
  },
};
