/** server: a job (or an outside address) that answers the OpenAI chat-completions API for one model. */
export { type ChatClient, type CompletionRequest, createChatClient } from './chat-client';
export type { Completion } from './logic/chat-answer';
export { type ChatFailure, describeChatFailure } from './logic/chat-failure';
export type { RunningServer } from './running-server';
export { createServerService, type NodeRuntime, type ServerService } from './server-service';
