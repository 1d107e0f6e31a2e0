import {
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';

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
      : `is too bright for the white text on it: choose a colour with a contrast of ${String(LEAST_CONTRAST)}:1; this one has ${contrast.toFixed(1)}:1`;
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
