/** server: a job (or an external address) that answers the OpenAI chat-completions API for one model. */
export { type ChatClient, createChatClient } from './chat-client';
export { httpReward } from './http-reward';
export { installLlamaCpp, smallModelLaunch } from './install-llama-cpp';
export type { Completion } from './logic/chat-answer';
export { type ChatFailure, describeChatFailure } from './logic/chat-failure';
export { reproductionOwner, serverOwner } from './logic/launch-notes';
export type { NodeRuntime } from './own-program';
export type { RunningServer } from './running-server';
export { createServerService, type ServerService } from './server-service';
