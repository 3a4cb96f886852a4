/** Appearance: colours by meaning, shapes, glyphs. The tokens themselves are in tokens.css. */
export { mantineTheme, mantineVariables } from './mantine-theme';
export { type AgentShape, type AgentStyle, agentStyle, configurationColor } from './series';
export { verdictStyle } from './verdicts';
