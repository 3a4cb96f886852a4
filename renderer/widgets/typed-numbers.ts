/** A typed whole number, or why it cannot be used here. Bounds are the contract's. */
export type ReadNumber =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly message: string };

export function wholeNumber(text: string, [least, most]: readonly [number, number]): ReadNumber {
  const value = Number(text.trim());
  if (/^\d+$/.test(text.trim()) && value >= least && value <= most) return { ok: true, value };
  return {
    ok: false,
    message: `A whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  };
}

export function numberIn(text: string, [least, most]: readonly [number, number]): ReadNumber {
  const value = Number(text.trim());
  if (text.trim() !== '' && value >= least && value <= most) return { ok: true, value };
  return {
    ok: false,
    message: `A number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}.`,
  };
}
