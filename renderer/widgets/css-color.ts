let context: CanvasRenderingContext2D | null = null;

/** A single token, not a mixture of several. */
const TOKEN = /^(?:var\()?(--[\w-]+)\)?$/;
/** Most tokens are hex colours; reading them directly saves a probe element each. */
const HEX = /^#([0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * A colour of the theme as "#rrggbb" or "#rrggbbaa", for canvases and terminals, which know no CSS variables.
 * `color` is any CSS colour, `var(--token)` and a bare `--token` included, as it holds for `element` now.
 * An unknown token gives the element's text colour.
 */
export function cssColor(element: Element, color: string): string {
  const token = TOKEN.exec(color)?.[1];
  if (token !== undefined) {
    const value = getComputedStyle(element).getPropertyValue(token).trim();
    if (HEX.test(value)) return value.toLowerCase();
  }
  const probe = document.createElement('span');
  probe.style.display = 'none';
  probe.style.color = color.startsWith('--') ? `var(${color})` : color;
  element.parentElement?.append(probe);
  const computed = getComputedStyle(probe).color;
  probe.remove();
  return toHex(computed);
}

/** One painted pixel turns every form that a browser computes (rgb, color(srgb ...), oklch) into bytes. */
function toHex(computed: string): string {
  if (context === null) {
    const canvas = document.createElement('canvas');
    canvas.width = 1;
    canvas.height = 1;
    context = canvas.getContext('2d', { willReadFrequently: true });
  }
  if (context === null) return computed;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = computed;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
  const bytes = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Calls back when the page's colour scheme changes; the returned function ends it. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-mantine-color-scheme', 'class', 'style'],
  });
  return () => observer.disconnect();
}
