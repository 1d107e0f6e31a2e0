import { readFileSync } from 'node:fs';
import type { Environment } from './environment.js';
import { whyUnreadable } from './secret-files.js';

/** The look of the console and the portal; null: the product's own. */
export interface BrandConfig {
  readonly name: string | null;
  /** `#rrggbb`; white text on it is readable. */
  readonly color: string | null;
  readonly logo: { readonly contentType: 'image/svg+xml' | 'image/png'; readonly bytes: Buffer } | null;
}

const MOST_LOGO_BYTES = 64 * 1024;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<svg[\s>]/s;

/** Reads the logo once. Adds to `faults` what is wrong with its file. */
export function readBrand(values: Environment, faults: string[]): BrandConfig {
  const { BRAND_NAME: name = null, BRAND_COLOR: color = null, BRAND_LOGO_FILE: file } = values;
  const logo = file === undefined ? null : readLogo(file);
  if (typeof logo !== 'string') return { name, color, logo };
  faults.push(`BRAND_LOGO_FILE ${logo}`);
  return { name, color, logo: null };
}

/** @returns the logo, or what is wrong with the file */
function readLogo(file: string): NonNullable<BrandConfig['logo']> | string {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MOST_LOGO_BYTES) return 'must have at most 64 kB';
    if (bytes.subarray(0, PNG.length).equals(PNG)) return { contentType: 'image/png', bytes };
    if (SVG.test(bytes.toString('utf8'))) return { contentType: 'image/svg+xml', bytes };
    return 'must be an SVG or a PNG file';
  } catch (error) {
    return `cannot be read from ${file}: ${whyUnreadable(error, 'file')}`;
  }
}
