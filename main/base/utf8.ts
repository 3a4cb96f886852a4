/** The bytes of a text in UTF-8, without Node's encoders. A lone surrogate, which has none, counts as `replacement`. */
export function utf8Bytes(text: string, replacement = '\ufffd'): number[] {
  // Each byte as a character of that number.
  const letters = encodeURIComponent(text.replace(/\p{Cs}/gu, replacement)).replace(
    /%([0-9A-F]{2})/g,
    (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Array.from(letters, (letter) => letter.charCodeAt(0));
}
