import { describe, expect, it } from 'vitest';
import { fitPrompt, isEstimatedToFit, promptFor } from '../../../main/search';
import type { Agent, ChatMessage, Problem } from '../../../preload/contract';

const problem = {
  statement: 'Read a number and print its double.',
  starterCode: '',
  publicTests: [{}],
} as unknown as Problem;
const agent = { role: { name: 'solver', systemPrompt: 'You solve.' }, extraction: 'last-fence' } as Agent;
const program = Array.from({ length: 400 }, (_, i) => `x${i} = ${i}`).join('\n');
const parent = { program, answer: '', publicVerdicts: ['wrong-answer'], publicResults: [] } as const;
const refinement = promptFor(problem, agent, parent);

const length = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);
const within = (most: number) => (messages: readonly ChatMessage[]) => length(messages) <= most;

describe('a prompt that leaves no room for the answer', () => {
  it('is left as it is where it fits', async () => {
    expect(await fitPrompt(refinement, within(10_000))).toBe(refinement);
  });

  it('loses the middle of the earlier program, never of the problem', async () => {
    const shortened = await fitPrompt(refinement, within(1_500));
    const text = shortened?.at(-1)?.content ?? '';
    expect(shortened?.[0]).toBe(refinement[0]);
    expect(text).toContain(problem.statement);
    expect(text).toContain('[...]');
    expect(text).toContain('x0 = 0');
    expect(text).toMatch(/Put it in one python fence\.$/);
    expect(length(shortened ?? [])).toBeLessThanOrEqual(1_500);
    expect(length(shortened ?? [])).toBeGreaterThan(1_300);
  });

  it('is refused where the problem alone is too long', async () => {
    expect(await fitPrompt(promptFor(problem, agent, null), within(100))).toBeNull();
    expect(await fitPrompt(refinement, within(300))).toBeNull();
  });

  it('is measured too high rather than too low without a tokenizer', () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'ä'.repeat(500) }];
    // 1,000 bytes: 400 tokens, and 16 for the message.
    expect(isEstimatedToFit(messages, { contextTokens: 516, maxTokens: 100 })).toBe(true);
    expect(isEstimatedToFit(messages, { contextTokens: 515, maxTokens: 100 })).toBe(false);
  });
});
