/** What a page is told. */
export interface Messages {
  message: {
    channel: string;
    data: unknown;
    /** 0 where the channel keeps no history. */ offset: number;
  };
  /**
   * All channels have been answered. `recovered` names those that went on after a drop: true,
   * nothing was missed.
   */
  connected: { client: string; recovered: Record<string, boolean> };
  /**
   * Once for each outage, and once more when it turns out to be for good. Codes below 1000 are this
   * side's own.
   */
  disconnected: { code: number; reason: string; willReconnect: boolean };
  /** Messages were missed and can't be caught up with: fetch what they were about. */
  gap: { channel: string };
  error: { code: number; message: string; channel?: string; temporary?: boolean };
}

export type Tell = <Type extends keyof Messages>(type: Type, detail: Messages[Type]) => void;
