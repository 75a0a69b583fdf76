/** Credentials of a caller without a session cookie, kept in memory until the page is closed. */
export type Credentials =
  { kind: 'basic'; username: string; password: string } | { kind: 'token'; token: string }

export interface CredentialHolder {
  set(credentials: Credentials): void
  clear(): void
  get(): Credentials | undefined
}

export function createCredentials(): CredentialHolder {
  let current: Credentials | undefined
  return {
    set: (credentials) => void (current = credentials),
    clear: () => void (current = undefined),
    get: () => current,
  }
}

export function credentialHeaders(credentials: Credentials | undefined): Record<string, string> {
  if (!credentials) return {}
  if (credentials.kind === 'token') return { 'X-API-Token': credentials.token }
  return { Authorization: `Basic ${toBase64(`${credentials.username}:${credentials.password}`)}` }
}

/** btoa accepts Latin-1 only, but names and passwords are UTF-8. */
const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
