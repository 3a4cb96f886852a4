/** A copy may not have the id of what it was copied from. */
export function withOwnId(text: string): string {
  return text.replace(/("id"\s*:\s*")([a-z0-9][a-z0-9-]*)(")/, (_, before, id, after) => {
    const own = id.startsWith('my-') ? id : `my-${id}`;
    return `${before}${own.slice(0, 60)}${after}`;
  });
}
