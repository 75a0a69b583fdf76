/** Why a guest's custom URL is refused, as shown on the settings page. Undefined for a valid or empty URL. */
export function guestUrlProblem(text: string): string | undefined {
  const url = text.trim()
  if (url === '') return undefined
  if (url.endsWith('.') && !url.includes('..')) {
    return 'URL appears incomplete - please enter a complete domain or IP address'
  }
  const match = /^(https?):\/\/(.*)$/i.exec(url)
  if (!match) return 'URL must start with http:// or https://'
  const authority = match[2]!.split(/[/?#]/)[0]!
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host === '' || host.startsWith(':')) return 'URL must include a valid hostname or IP address'
  if (host.replace(/:\d*$/, '').endsWith('.')) return 'Hostname appears incomplete'
  if (authority.includes('@') || !isHost(host)) return 'Invalid URL format'
  return undefined
}

/** A name, an IPv4 address or a bracketed IPv6 address, with an optional port from 1 to 65535. */
function isHost(host: string): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}._-]+)(?::(\d{1,5}))?$/iu.exec(host)
  if (!match) return false
  const port = match[2] === undefined ? 1 : Number(match[2])
  return port >= 1 && port <= 65_535
}
