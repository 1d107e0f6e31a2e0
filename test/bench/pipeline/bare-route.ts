/** The limit of taking in: Nest on Fastify with one route that reads a JSON body and does nothing. */
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { serve } from '#test/bench/pipeline/child';

class EmptyController {
  take(): { notificationId: string } {
    return { notificationId: '0199a2b4-7c1d-7e55-9f3b-000000000000' };
  }
}
// Applied by hand: Node strips types, and decorators are no part of what it understands.
Controller('v1/events')(EmptyController);
const take = Object.getOwnPropertyDescriptor(EmptyController.prototype, 'take') ?? {};
Post()(EmptyController.prototype, 'take', take);
HttpCode(202)(EmptyController.prototype, 'take', take);
Body()(EmptyController.prototype, 'take', 0);

class EmptyModule {}
Module({ controllers: [EmptyController] })(EmptyModule);

/** @returns its URL */
async function start(): Promise<string> {
  const app = await NestFactory.create<NestFastifyApplication>(EmptyModule, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const calls = { start };
export type BareRoute = typeof calls;
serve(calls);
