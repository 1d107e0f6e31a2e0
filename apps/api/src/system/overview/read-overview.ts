import type { IssueListDto } from '../../resources/issues/issue.dto.js';
import type { OverviewDto } from './overview.dto.js';
import type { Overview } from './overview-text.js';

const TIMEOUT_MS = 10_000;
/** The api's largest page; unresolved issues come first. */
const MOST_ISSUES = 1_000;

/** Why the api gave no answer that can be shown; the message says what to do. */
export class NoOverviewError extends Error {
  override readonly name = 'NoOverviewError';
}

/**
 * Reads what the Overview shows from a running api.
 * @param key an API key with a role that may read the Overview, such as `viewer`
 * @throws NoOverviewError
 */
export async function readOverview(apiUrl: string, key: string): Promise<Overview> {
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(new URL(path, apiUrl), {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new NoOverviewError(
        `${apiUrl} does not answer (${reasonOf(error)}). Check that an api runs there, or set API to its address.`,
      );
    });
    if (!response.ok) throw new NoOverviewError(await refusalOf(response));
    return JSON.parse(await response.text());
  };
  const [queue, { issues }] = await Promise.all([
    read<OverviewDto>('/v1/overview'),
    read<IssueListDto>(`/v1/issues?limit=${String(MOST_ISSUES)}`),
  ]);
  return { queue, issues: issues.filter(({ state }) => state !== 'resolved') };
}

async function refusalOf(response: Response): Promise<string> {
  const { status } = response;
  switch (status) {
    case 401:
      return 'The key is refused: it is wrong, expired or revoked. Set KEY to a valid API key.';
    case 403:
      return 'The role of the key may not read the overview. Set KEY to a key with the role viewer or oncall.';
    default:
      return `The api answers ${String(status)}: ${(await response.text()).slice(0, 300)}`;
  }
}

/** The code of a connection's fault is in the cause of fetch's error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : error.message;
}
