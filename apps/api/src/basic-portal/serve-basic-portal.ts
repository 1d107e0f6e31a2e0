import { UUID } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/observability';
import { HttpException, UnauthorizedException, type INestApplication } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RequestWithCaller } from '../access/caller.js';
import { Callers } from '../access/callers.service.js';
import { PortalLimits } from '../access/portal-limits.service.js';
import { ConsoleSessions } from '../access/sign-in/console-sessions.service.js';
import { LinkSignIn } from '../access/sign-in/link/link-sign-in.service.js';
import { requestScheme } from '../access/sign-in/request-origin.js';
import { SESSION_SECONDS, sessionCookie } from '../access/sign-in/session-cookie.js';
import { schemeOfSignIn } from '../access/sign-in/session.controller.js';
import { TooManyRequestsError } from '../http/too-many-requests.js';
import { DeliveriesService } from '../resources/deliveries/deliveries.service.js';
import { DeliveryCommands } from '../resources/deliveries/delivery-commands.js';
import { BASIC_HEADERS, BASIC_PORTAL, missedPage, refusedPage, signInPage } from './basic-pages.js';

const MOST_BODY_BYTES = 2 * 1024;
const MOST_ROWS = 50;
/** A key or the token of a link, also within the link's address. */
const SECRET = /pn[dl]_[\w-]+/;

/**
 * Serves the portal without JavaScript: a consumer's person signs in, sees what was not delivered and resends it, with the
 * sessions, limits and commands of the API. A form is checked like every request with a session (`authenticateRequests`).
 */
export function serveBasicPortal(app: INestApplication, server: FastifyInstance): void {
  const [callers, sessions, links] = [app.get(Callers), app.get(ConsoleSessions), app.get(LinkSignIn)];
  const [limits, commands] = [app.get(PortalLimits), app.get(DeliveryCommands)];
  const deliveries = app.get(DeliveriesService);
  const logger = app.get<Logger>(LOGGER);

  void server.register(async (scope) => {
    // Forms are read here only.
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST_BODY_BYTES },
      async (_request: RequestWithCaller, body: string) => new URLSearchParams(body),
    );
    scope.setErrorHandler((error, _request, reply) => {
      if (error instanceof UnauthorizedException) return toPortal(reply);
      if (error instanceof HttpException) return send(reply, refusedPage(error.message), error.getStatus());
      if (error instanceof TooManyRequestsError)
        return send(reply, refusedPage(error.message), error.statusCode);
      throw error;
    });

    scope.get<{ Querystring: { resent?: string } }>(BASIC_PORTAL, async (request, reply) => {
      const caller = await callers.ofConsumer(request);
      if (caller === null) return send(reply, signInPage());
      const list = await deliveries.list(
        { missed: true, limit: MOST_ROWS },
        { consumerId: caller.consumerId },
      );
      const notice =
        request.query.resent === undefined ? '' : 'We send it again now. Reload this page to see the result.';
      return send(reply, missedPage(caller.consumerName ?? caller.name, list, notice));
    });

    scope.post(`${BASIC_PORTAL}/sign-in`, async (request, reply) => {
      const scheme = schemeOfSignIn(request);
      const secret = SECRET.exec(fieldOf(request.body, 'secret'))?.[0] ?? '';
      const session = await (secret.startsWith('pnl_') ? links : sessions).begin(secret, request.ip);
      if (session === null || session.caller.consumerId === null) {
        logger.warn({ address: request.ip }, 'session.refused');
        const notice = 'This link or key is unknown, used, expired or revoked. Ask the bank for a new link.';
        return send(reply, signInPage(notice), 422);
      }
      logger.info({ actor: session.caller.name, address: request.ip }, 'session.started');
      const given = { isSecure: scheme === 'https', seconds: SESSION_SECONDS };
      return toPortal(reply.header('set-cookie', sessionCookie.set(session.token, given)));
    });

    scope.post(`${BASIC_PORTAL}/resend`, async (request, reply) => {
      const caller = await callers.ofConsumer(request);
      if (caller === null) return toPortal(reply);
      const { consumerId } = caller;
      await limits.countChange(consumerId);
      const id = fieldOf(request.body, 'id').toLowerCase();
      if (!UUID.test(id)) return send(reply, refusedPage('There is no such delivery.'), 404);
      await commands.retry(id, { consumerId }, { ...caller, address: request.ip });
      return toPortal(reply, '?resent');
    });

    scope.post(`${BASIC_PORTAL}/sign-out`, async ({ headers }, reply) =>
      toPortal(reply.header('set-cookie', sessionCookie.clear(requestScheme(headers) === 'https'))),
    );
  });
}

const send = (reply: FastifyReply, html: string, status = 200): FastifyReply =>
  reply.status(status).headers(BASIC_HEADERS).send(html);

/** A reload of the page then sends no form again. */
const toPortal = (reply: FastifyReply, query = ''): FastifyReply =>
  reply.redirect(`${BASIC_PORTAL}${query}`, 303);

const fieldOf = (body: unknown, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? '') : '';
