/** Plain strings, so that the preload script can import them without pulling in the schemas. */
export const CALL_CHANNEL = 'workbench:call';
export const EVENTS_CHANNEL = 'workbench:events';
/** The renderer subscribes to events. */
export const SUBSCRIBE_CHANNEL = 'workbench:subscribe';
