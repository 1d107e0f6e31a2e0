import {
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
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

/** WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;

@ValidatorConstraint({ name: 'brandColor' })
export class BrandColor implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return contrastWithWhite(String(value)) >= LEAST_CONTRAST;
  }
  defaultMessage({ value }: ValidationArguments): string {
    const contrast = contrastWithWhite(String(value));
    return contrast === 0
      ? 'must be a colour as # and six hexadecimal digits: #0b5cad'
      : `is too bright for the white text on it: choose a colour with a contrast of 4.5:1; this one has ${contrast.toFixed(1)}:1`;
  }
}

/** The ratio as WCAG 2.2 defines it; 0 for anything but `#rrggbb`. */
function contrastWithWhite(color: string): number {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return 0;
  const [red = 0, green = 0, blue = 0] = [...Buffer.from(color.slice(1), 'hex')].map((part) =>
    part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

const MOST_LOGO_BYTES = 64 * 1024;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<svg[\s>]/s;

/** Reads the logo once. Adds to `faults` what is wrong with its file. */
export function readBrand(values: Environment, faults: string[]): BrandConfig {
  const { BRAND_NAME: name = null, BRAND_COLOR: color = null, BRAND_LOGO_FILE: file } = values;
  const refuse = (why: string): BrandConfig => {
    faults.push(`BRAND_LOGO_FILE ${why}`);
    return { name, color, logo: null };
  };
  if (file === undefined) return { name, color, logo: null };
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MOST_LOGO_BYTES) return refuse('must have at most 64 kB');
    if (bytes.subarray(0, PNG.length).equals(PNG))
      return { name, color, logo: { contentType: 'image/png', bytes } };
    if (SVG.test(bytes.toString('utf8')))
      return { name, color, logo: { contentType: 'image/svg+xml', bytes } };
    return refuse('must be an SVG or a PNG file');
  } catch (error) {
    return refuse(`cannot be read from ${file}: ${whyUnreadable(error, 'file')}`);
  }
}
