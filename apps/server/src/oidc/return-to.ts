const origin = 'http://pulse.invalid'

/**
 * A path of this site, or the start page. Refuses texts that browsers or proxies might read as another site.
 */
export function safeReturnTo(text: string | undefined): string {
  if (text === undefined || text.length > 2048 || !isOwnPath(text)) return '/'
  const url = URL.parse(text, origin)
  if (url?.origin !== origin || !isOwnPath(url.pathname) || !decodings(url.pathname)?.every(isOwnPath))
    return '/'
  return url.pathname + url.search + url.hash
}

const isOwnPath = (text: string): boolean => /^\/(?!\/)/.test(text) && !/[\\\p{Cc}]/u.test(text)

/** The results of unescaping once, twice, …; undefined for invalid escapes or too many levels. */
function decodings(path: string): string[] | undefined {
  const found: string[] = []
  for (let rest = path; found.length < 5; found.push(rest)) {
    const next = decoded(rest)
    if (next === undefined) return undefined
    if (next === rest) return found
    rest = next
  }
  return undefined
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined // a lone % or half a character
  }
}

/** Adds the result of the sign-in for the page; the rest of the address is unchanged. */
export function withOutcome(returnTo: string, code?: string): string {
  const url = new URL(returnTo, origin)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^oidc(_error)?(=|$)/.test(part))
  const outcome = code === undefined ? ['oidc=success'] : ['oidc=error', `oidc_error=${code}`]
  return `${url.pathname}?${[...kept, ...outcome].join('&')}${url.hash}`
}
