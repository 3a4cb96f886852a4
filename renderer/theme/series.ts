const SERIES = 8;

/** The CSS colour (a reference to a token) of a hue; they begin again after the eighth. */
export function configurationColor(hue: number): string {
  return `var(--series-${(Math.max(0, hue) % SERIES) + 1})`;
}

export type AgentShape = 'circle' | 'square' | 'triangle' | 'diamond';
export type AgentStyle = { readonly shape: AgentShape; readonly color: string };

const SHAPES: readonly AgentShape[] = ['circle', 'square', 'triangle', 'diamond'];

/** How many agents can look different. */
export const AGENT_STYLES = SHAPES.length;

/** Shape and CSS colour of the agent at this position of its team; they differ by shape first, colour second. */
export function agentStyle(position: number): AgentStyle {
  const index = Math.max(0, position) % SHAPES.length;
  return { shape: SHAPES[index] ?? 'circle', color: `var(--agent-${index + 1})` };
}
