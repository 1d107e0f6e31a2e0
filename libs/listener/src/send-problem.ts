import { problem, PROBLEM_MEDIA_TYPE } from '#libs/contracts';
import { HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Answers with a problem (RFC 9457) and its status. */
export function sendProblem(reply: FastifyReply, answer: Parameters<typeof problem>[0]): void {
  void reply
    .status(answer.status)
    .header('content-type', PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem(answer)));
}

/** The HTTP status of an error of Nest, Fastify or the body parser. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}
