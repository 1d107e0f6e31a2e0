import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly recipients: string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
}

/** An SMTP server on the loopback interface, which needs a user name and a password. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** While set, it refuses every mail with this text. */
  refusal: string | null = null;

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    server.smtp.listen(0, '127.0.0.1');
    await once(server.smtp.server, 'listening');
    return server;
  }

  private readonly smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const isKnown = username === 'bank' && password === 'secret of mail';
      done(isKnown ? null : new Error('wrong user name or password'), { user: username });
    },
    onData: (stream, { envelope }, done) => {
      callbackify(() => this.receive(stream, envelope))(done);
    },
  });

  /** @throws Error with the refusal */
  private async receive(stream: Readable, { rcptTo }: SMTPServerSession['envelope']): Promise<void> {
    const { from, subject = '', text = '' } = await PostalMime.parse(await buffer(stream));
    if (this.refusal !== null) throw new Error(this.refusal);
    const recipients = rcptTo.map(({ address }) => address);
    this.mails.push({ recipients, from: from?.address ?? '', subject, text });
  }

  /** With its user name and password, for SMTP_URL. */
  get url(): string {
    const address = this.smtp.server.address();
    if (address === null || typeof address === 'string') throw new Error('The mail server does not listen');
    return `smtp://bank:secret%20of%20mail@127.0.0.1:${String(address.port)}`;
  }

  stop(): Promise<void> {
    return new Promise((done) => this.smtp.close(done));
  }
}
