const mask = '***'

/** A URL without user, query values and path segments that may be tokens. */
export function redactedUrl(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(url) ?? []
  if (!scheme) return mask
  const [beforeFragment = ''] = rest.split('#')
  const [base = '', query] = splitOnce(beforeFragment, '?')
  const [authority = '', path] = splitOnce(base, '/')
  const host = authority.includes('@')
    ? `${mask}@${authority.slice(authority.lastIndexOf('@') + 1)}`
    : authority
  const shownPath = path === undefined ? '' : `/${redactedPath(host.toLowerCase(), path)}`
  return (
    scheme +
    host +
    shownPath +
    (query === undefined ? '' : `?${query.split('&').map(redactedParameter).join('&')}`)
  )
}

function splitOnce(text: string, character: string): [string, string | undefined] {
  const at = text.indexOf(character)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

const redactedParameter = (parameter: string): string => {
  const [name, value] = splitOnce(parameter, '=')
  return value === undefined ? mask : `${name}=${mask}`
}

/** Path segments that are not secret; any other may be a token. */
const known = new Set([
  'api',
  'webhooks',
  'webhook',
  'services',
  'workflows',
  'triggers',
  'hooks',
  'hook',
  'generic',
  'notify',
  'message',
  'messages',
  'messages.json',
  'sendmessage',
  'webhookb2',
  'incomingwebhook',
  'enqueue',
  'v1',
  'v2',
  'v3',
  '1',
  'ntfy',
  'alerts',
  'events',
  'pulse',
  'slack',
  'teams',
  'discord',
])

const redactedPath = (host: string, path: string): string =>
  path
    .split('/')
    .map((part, index, parts) => {
      const isTopic = host === 'ntfy.sh' && parts.length === 1 && index === 0
      return part === '' || (!isTopic && known.has(part.toLowerCase())) ? part : mask
    })
    .join('/')

/** The secrets of a URL: its user, query values and path segments. */
export function secretsOfUrl(url: string): string[] {
  const [, , rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(url) ?? []
  const [base = '', query = ''] = splitOnce(rest, '?')
  const [authority = '', path = ''] = splitOnce(base, '/')
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')).split(':') : []
  const parts = path.split('/').filter((part) => !known.has(part.toLowerCase()))
  const values = query.split('&').map((parameter) => splitOnce(parameter, '=')[1] ?? '')
  return [url, ...user, ...parts, ...values]
}

/** A foreign text with the given secrets removed. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret.length >= 4).flatMap(formsOf))
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, mask), text)
}

function formsOf(secret: string): string[] {
  const escaped = encodeURIComponent(secret.toWellFormed())
  return [secret, escaped, decoded(secret), JSON.stringify(secret).slice(1, -1)].filter(
    (form) => form.length >= 4,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
