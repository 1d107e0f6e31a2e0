import { createTransport } from 'nodemailer';

/** Sends plain-text mails through one SMTP server. */
export interface Mailer {
  /**
   * @param withinMs for each step of the connection
   * @returns null, or why the mail was not sent, for an operator
   */
  send(
    recipients: readonly string[],
    mail: { readonly subject: string; readonly text: string },
    withinMs: number,
  ): Promise<string | null>;
}

/** Longer texts of a server are cut. */
const MOST_FAULT = 200;

/**
 * @param smtpUrl `smtp://user:password@host:587` (with STARTTLS if the server offers it) or `smtps://host:465`
 * @param from the sender's address
 */
export function createMailer(smtpUrl: string, from: string): Mailer {
  return {
    async send(recipients, { subject, text }, withinMs) {
      const timeouts = {
        dnsTimeout: withinMs,
        connectionTimeout: withinMs,
        greetingTimeout: withinMs,
        socketTimeout: withinMs,
      };
      const transport = createTransport({ url: smtpUrl, ...timeouts }, { from });
      try {
        await transport.sendMail({ to: [...recipients], subject, text });
        return null;
      } catch (error) {
        return `mail: ${(error instanceof Error ? error.message : String(error)).slice(0, MOST_FAULT)}`;
      } finally {
        transport.close();
      }
    },
  };
}
