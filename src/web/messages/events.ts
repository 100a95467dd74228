/** The events of a connection with their details, by type. */
export interface MessageEvents {
  message: {
    channel: string;
    data: unknown;
    /** 0 where the channel keeps no history. */
    offset: number;
  };
  /** All channels have replied. `recovered`: the resumed ones; true if nothing was missed. */
  connected: { client: string; recovered: Record<string, boolean> };
  /** Once per outage, and again if it is final. Codes below 1000 are the client's own. */
  disconnected: { code: number; reason: string; willReconnect: boolean };
  /** Messages were missed and can't be recovered: fetch the current state. */
  gap: { channel: string };
  error: { code: number; message: string; channel?: string; temporary?: boolean };
}

export type Emit = <Type extends keyof MessageEvents>(
  type: Type,
  detail: MessageEvents[Type],
) => void;
