/** Colours that stay with a configuration on every screen: its position in its study decides. */
const SERIES = 8;

/** A CSS colour (a reference to a token) for the configuration at this position of its study; 0 is the first. */
export function configurationColor(position: number): string {
  return `var(--series-${(Math.max(0, position) % SERIES) + 1})`;
}

export type AgentShape = 'circle' | 'square' | 'triangle' | 'diamond';
export type AgentStyle = { readonly shape: AgentShape; readonly color: string };

const SHAPES: readonly AgentShape[] = ['circle', 'square', 'triangle', 'diamond'];

/** Shape and CSS colour of the agent at this position of its team; they differ by shape first, colour second. */
export function agentStyle(position: number): AgentStyle {
  const place = Math.max(0, position) % SHAPES.length;
  return { shape: SHAPES[place] ?? 'circle', color: `var(--agent-${place + 1})` };
}
