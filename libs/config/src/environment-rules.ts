import {
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isIP } from 'node:net';
import { RedisUrlError, redisServers } from './redis-servers.js';

export const asInteger = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;

export const asBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

export const asList = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : value;

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

const isNetworkOrHost = (item: string): boolean =>
  isNetwork(item) || (!item.includes('/') && HOST_NAME.test(item));

function isNetwork(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  if (prefix === undefined) return isIP(item) !== 0;
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

@ValidatorConstraint({ name: 'networks' })
export class Networks implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Array.isArray(value) && value.every((item) => typeof item === 'string' && isNetwork(item));
  }
}

@ValidatorConstraint({ name: 'networksOrHosts' })
export class NetworksOrHosts implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Array.isArray(value) && value.every((item) => typeof item === 'string' && isNetworkOrHost(item));
  }
}

@ValidatorConstraint({ name: 'redisServers' })
export class OneOfTheRedisForms implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return faultOf(value) === null;
  }
  defaultMessage({ value }: ValidationArguments): string {
    return faultOf(value) ?? '';
  }
}

function faultOf(value: unknown): string | null {
  try {
    redisServers(String(value));
    return null;
  } catch (error) {
    if (error instanceof RedisUrlError) return error.message;
    throw error;
  }
}
