/** What forms have of the agents of a team: the models that there are, their fields, what is wrong with them. */
export {
  type AgentChoice,
  type AgentDetails,
  agentName,
  choiceOfServer,
  defaultPrompt,
  defaultRole,
  isHttpUrl,
  isPocketPolicy,
  type Library,
  memberOf,
  NO_DETAILS,
  type TeamDraft,
  teamName,
} from './agents';
export { agentErrors, checkpointErrors, formatErrors } from './check-agents';
export { MESSAGES_BELOW, NO_TRANSITION } from './input-options';
export { type AgentFieldId, type FieldError, type FieldMessages, messageProps, Warnings } from './messages';
export { NO_MODEL, nextAgent, READER, TRACER } from './next-agent';
export { TeamFields } from './team-fields';
export { useLibrary } from './use-library';
