/**
 * The common key of all spellings of an account name. Full-width, upper-case, padded and invisible variants
 * are the same account, both for sign-ins and for counting failures.
 */
export const accountKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .normalize('NFKC')
