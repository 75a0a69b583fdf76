export interface Mailbox {
  name: string
  address: string
}

/** `ops@example.org` or `Ops <ops@example.org>`; refuses anything that could add a second address or header. */
export function mailboxOf(text: string): Mailbox | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) return undefined
  const whole = text.trim()
  const open = whole.indexOf('<')
  const [name, address] =
    open >= 0 && whole.endsWith('>') ? [whole.slice(0, open).trim(), whole.slice(open + 1, -1)] : ['', whole]
  const plainName = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  return isAddress(address) ? { name: plainName, address } : undefined
}

export const mailboxesOf = (texts: readonly string[]): Mailbox[] => {
  const byAddress = new Map<string, Mailbox>()
  for (const mailbox of texts.map(mailboxOf))
    if (mailbox) byAddress.set(mailbox.address.toLowerCase(), mailbox)
  return [...byAddress.values()]
}

function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  return (
    at > 0 &&
    address.length <= 254 &&
    /^[^\s@"'`(),:;<>[\\\]|]+$/u.test(local) &&
    /^[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(domain) &&
    !local.startsWith('-')
  )
}
