import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access.module.js';
import { OpenIdController } from './openid/openid.controller.js';
import { OpenIdProvider } from './openid/openid-provider.service.js';
import { OpenIdSignIn } from './openid/openid-sign-in.service.js';
import { LinkSignIn } from './link/link-sign-in.service.js';
import { SessionController } from './session.controller.js';

/** Sign-in and sign-out of the console, by API key, sign-in link or OpenID Connect. */
@Module({
  imports: [AccessModule, DatabaseModule],
  controllers: [SessionController, OpenIdController],
  providers: [LinkSignIn, OpenIdProvider, OpenIdSignIn],
})
export class SignInModule {}
