const MAIL = /[^\s<>,;:()]+@[^\s<>,;:()]+\.[^\s<>,;:()]+/;
const PHONE = /\+?\(?\d[\d\s()./-]{4,}\d/;
const FEWEST_DIGITS = 6;

/** `tel:` for the first telephone number in a contact, else `mailto:` for its first address; null when it has neither. */
export function contactHref(contact: string): string | null {
  const mail = MAIL.exec(contact)?.[0];
  const [phone] = PHONE.exec(mail === undefined ? contact : contact.replace(mail, ' ')) ?? [];
  // "(0)" is dialled only inside the country.
  const number = phone?.replace(phone.startsWith('+') ? '(0)' : '', '').replaceAll(/[^+\d]/g, '') ?? '';
  if (number.replace('+', '').length >= FEWEST_DIGITS) return `tel:${number}`;
  return mail === undefined ? null : `mailto:${mail}`;
}
