import { join } from 'node:path';
import type { Image } from '#test/image/image-folder';
import { RunningCommand } from '#test/support/running-command';

/**
 * Gives the image to a mount namespace of its own, as Docker does with `read_only`, `tmpfs: /tmp` and `secrets`: the root
 * cannot be written, /tmp is in memory and the secrets are mounted. Then the image's user, who can gain no rights, runs Node.
 */
const CONFINE = `
root=$1 secrets=$2 user=$3
shift 3
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount --bind "$secrets" "$root/run/secrets"
mount -o remount,bind,ro "$root/run/secrets"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs unshare --root="$root" --wd=/app --setgid="$user" --setuid="$user" node "$@"
`;

/** Starts `node` with these arguments in the image, with the machine's network. */
export function startContainer(
  image: Image,
  secretsFolder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningCommand> {
  return RunningCommand.start({
    file: 'unshare',
    args: ['--mount', 'sh', '-ec', CONFINE, 'sh', image.root, secretsFolder, String(image.user), ...args],
    env: { PATH: `/usr/local/bin:${process.env['PATH'] ?? ''}`, ...image.env, ...env },
  });
}

/** Where a container's /tmp is seen from outside. */
export const temporaryFolderOf = ({ pid }: RunningCommand): string => join(`/proc/${pid}/root`, 'tmp');
