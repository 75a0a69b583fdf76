/** What single sign-on wrote into the address when it sent the browser back. */
export interface SignInReturn {
  outcome: 'success' | 'error'
  /** of an error */
  code: string
}

export function readSignInReturn(search: string): SignInReturn | undefined {
  const query = new URLSearchParams(search)
  const outcome = query.get('oidc')
  const code = query.get('oidc_error') ?? ''
  if (outcome === 'success') return { outcome, code: '' }
  return outcome === 'error' || code ? { outcome: 'error', code } : undefined
}

/** The address without it; everything else stays. */
export function withoutSignInReturn({ pathname, search, hash }: Location): string {
  const query = new URLSearchParams(search)
  query.delete('oidc')
  query.delete('oidc_error')
  return `${pathname}${query.size ? `?${query}` : ''}${hash}`
}
