/** The events of a connection, by type, with what each one carries. */
export interface MessageEvents {
  message: {
    channel: string;
    data: unknown;
    /** 0 where the channel keeps no history. */
    offset: number;
  };
  /** All channels have answered. `recovered`: those that resumed; true means nothing was missed. */
  connected: { client: string; recovered: Record<string, boolean> };
  /** Once per outage, and again when it is final. Codes below 1000 are this side's own. */
  disconnected: { code: number; reason: string; willReconnect: boolean };
  /** Messages were missed and can't be recovered: fetch what they were about. */
  gap: { channel: string };
  error: { code: number; message: string; channel?: string; temporary?: boolean };
}

export type Emit = <Type extends keyof MessageEvents>(
  type: Type,
  detail: MessageEvents[Type],
) => void;
