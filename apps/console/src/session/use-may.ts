import { useMe, type Role } from './use-me';

/** Whether the person who is signed in may act as this role; what they may not do is not offered to them. */
export function useMay(role: Role): boolean {
  return useMe().data?.may.includes(role) ?? false;
}
