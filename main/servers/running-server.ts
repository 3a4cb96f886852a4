import type { ChatClient } from './chat-client';

/** A server that has given one real answer. After a restart the same value leads to the new process. */
export type RunningServer = {
  readonly id: string;
  /** With its "/v1"; changes when the server is started again. */
  readonly baseUrl: string;
  readonly client: ChatClient;
};
