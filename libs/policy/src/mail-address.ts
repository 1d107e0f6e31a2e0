const MAIL_ADDRESS = /[^\s<>,;:()"]+@[^\s<>,;:()"@]+\.[^\s<>,;:()"@]+/;

/** The first mail address in a consumer's contact, which is free text; null when it has none. */
export const mailAddressOf = (contact: string | null): string | null =>
  MAIL_ADDRESS.exec(contact ?? '')?.[0] ?? null;
