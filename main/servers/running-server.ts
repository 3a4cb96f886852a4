import type { ChatClient } from './chat-client';

/** A server that has given one real answer. After a restart the same object uses the new process. */
export type RunningServer = {
  readonly id: string;
  /** With its "/v1"; changes when the server is started again. */
  readonly baseUrl: string;
  readonly client: ChatClient;
};

/** What a speed test needs to know of a server. */
export type SpeedTarget = {
  readonly baseUrl: string;
  readonly model: string;
  /** See `createChatClient`. */
  readonly hasOneModel: boolean;
  /** Read again for every request; null: the server needs none. */
  readonly key: (() => Promise<string | null>) | null;
  /** See `EngineKind`. */
  readonly ignoresEnd: boolean;
  /** A problem that a recorded server has answers for; empty for others. */
  readonly problemId: string;
};
