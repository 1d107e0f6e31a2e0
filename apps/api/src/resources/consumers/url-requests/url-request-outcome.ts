import type { UrlRequestDecided } from '#libs/database';
import { ConflictException, NotFoundException } from '@nestjs/common';

/** @throws NotFoundException or ConflictException with the reason, unless the request was decided now */
export function requireDecidedNow(decided: UrlRequestDecided): void {
  switch (decided.kind) {
    case 'done':
      return;
    case 'unknown':
      throw new NotFoundException('There is no such request.');
    case 'decided':
      throw new ConflictException(`The request is ${decided.state} already.`);
    case 'url_changed':
      throw new ConflictException(
        'The consumer’s URL has changed since the request was made. Compare the three URLs, then reject the request or change the URL directly.',
      );
  }
}
