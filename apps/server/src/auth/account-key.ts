/**
 * The one spelling that all spellings of an account name share: full-width, upper-case, padded and
 * invisible variants count as the same account, for signing in as for counting failures.
 */
export const accountKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .normalize('NFKC')
