import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { type Piece, piecesOf } from './patterns.ts'

/** Replaces real hosts and addresses in all output. Each one always gets the same substitute. */
export interface Mask {
  text(text: string): string
  /** A copy with all texts and keys masked; unchanged parts stay the same objects. */
  deep<T>(value: T): T
  /**
   * An id without a host is unchanged. Others get a unique substitute, because two ids must not become equal.
   */
  id(id: string): string
  /** Adds a name that occurs inside other texts, such as a connection's name in the ids of its guests. */
  learn(name: string): void
}

const MAX_REMEMBERED = 50_000
const hasPath = /^[^/?#]*\/\/[^/?#]*[/?#]/

/** File name extensions of Proxmox; no public domain ends with them. */
const endings = new Set(
  'blob cfg conf didx fidx gz img iso json log lzo mpxar notes pcat1 ppxar pxar qcow2 raw tar tgz vma vmdk xz zst'.split(
    ' ',
  ),
)

/** Label keys that tools set: they contain no host, and pages group by them. */
const isPublicLabel = /^(?:com\.docker|org\.opencontainers|io\.podman|io\.containers)\./

/** Only texts with these characters can contain a host with a dot, an address or an account. */
const mayTell = /[.:@]|(?:[0-9a-f]{2}-){5}/i

/** The key is secret, so that trying all addresses does not reveal the real ones. By default each start has a new one. */
export function createMask(key: Buffer = randomBytes(32)): Mask {
  const hash = (text: string) => createHmac('sha256', key).update(text.toLowerCase()).digest()
  const remembered = new Map<string, string>()
  const names = new Map<string, string>()

  function address(text: string): string {
    const bare = text.split('%')[0]!.replace(/^\[|\]$/g, '')
    const version = isIP(bare)
    const digest = hash(bare)
    if (version === 4) return isStandIn(bare) ? bare : `192.0.2.${1 + (digest[0]! % 254)}`
    if (version === 6) return isStandIn(bare) ? bare : `2001:db8::${hex(digest, 0)}:${hex(digest, 2)}`
    if (/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(bare)) {
      return isStandIn(bare) ? bare : `02:00:00:${[...digest.subarray(0, 3)].map(byte).join(':')}`
    }
    return host(bare)
  }

  const host = (name: string) =>
    isStandIn(name) ? name : `host-${hash(name).subarray(0, 3).toString('hex')}.example`

  /** Removes path and query, which may contain hosts. */
  function url(text: string): string {
    // the pattern of an address ends before the closing bracket of an IPv6 host
    const isCut = /^[a-z][a-z0-9+.-]{1,20}:\/\/\[[^\]]*$/i.test(text)
    const parsed = URL.parse(isCut ? `${text}]` : text)
    if (!parsed?.hostname) return '[address]'
    const masked = address(parsed.hostname)
    const shown = isIP(masked) === 6 ? `[${masked}${isCut ? '' : ']'}` : masked
    const port = parsed.port ? `:${parsed.port}` : ''
    return `${parsed.protocol}//${shown}${port}${hasPath.test(text) ? '/' : ''}`
  }

  /** Also masks a token name behind the account. */
  function account(text: string): string {
    const [user, domain = '', token] = text.split(/[@!]/)
    const realm = domain.includes('.') ? host(domain) : domain
    return `${user}@${realm}${token === undefined ? '' : '!token'}`
  }

  const fingerprint = (text: string) => `fingerprint-${hash(text).subarray(0, 4).toString('hex')}`

  function piece({ text, category }: Piece): string {
    if (category === 'url') return url(text)
    if (category === 'address') return isFileName(text) ? text : address(text)
    if (category === 'account') return account(text)
    if (category === 'fingerprint') return fingerprint(text)
    // Each part may be a host.
    if (category === 'task') return inParts(text, ':')
    if (category === 'path') return inParts(text, text.includes('\\') ? '\\' : '/')
    return text
  }

  const inParts = (text: string, mark: string) =>
    text
      .split(mark)
      .map((part) => piecesOf(part).map(piece).join(''))
      .join(mark)

  function masked(text: string): string {
    let result = text
    for (const [name, standIn] of names) result = replaceAll(result, name, standIn)
    return piecesOf(result).map(piece).join('')
  }

  function text(value: string): string {
    if (!mayTell.test(value)) return value
    const known = remembered.get(value)
    if (known !== undefined) return known
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    const result = masked(value)
    remembered.set(value, result)
    return result
  }

  function deep(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const list = value.map(deep)
      return list.some((item, i) => item !== value[i]) ? list : value
    }
    let isSame = true
    const entries = Object.entries(value).map(([name, inner]) => {
      const entry = [isPublicLabel.test(name) ? name : text(name), deep(inner)] as const
      isSame &&= entry[0] === name && entry[1] === inner
      return entry
    })
    return isSame ? value : Object.fromEntries(entries)
  }

  return {
    text,
    deep: <T>(value: T) => deep(value) as T,
    id: (id) => (text(id) === id ? id : `id-${hash(id).subarray(0, 8).toString('hex')}`),
    learn(name) {
      const lower = lowered(name)
      if (!mayTell.test(name) || isStandIn(name) || names.has(lower)) return
      names.set(lower, /^[\w.:@-]+$/.test(name) ? address(lower) : `name-${hex(hash(lower), 0)}`)
      remembered.clear()
    },
  }
}

/**
 * `vzdump-qemu-100.vma.zst`, `debian-12.5.0-amd64.iso`: the only dots in a file's own name are those of a
 * version. `mail.example.org.pxar.didx` contains a host.
 */
function isFileName(text: string): boolean {
  const parts = text.toLowerCase().split('.')
  const end = parts.findIndex((part) => endings.has(part))
  const isVersion = (part: string, at: number) => at === 0 || (/\d$/.test(parts[at - 1]!) && /^\d/.test(part))
  return (
    end > 0 && parts.slice(0, end).every(isVersion) && parts.slice(end).every((part) => endings.has(part))
  )
}

/** Networks and names reserved for documentation are unchanged, so masking is idempotent. */
const isStandIn = (text: string) =>
  /^(?:192\.0\.2\.\d{1,3}|2001:db8::[0-9a-f:]{1,9}|02:00:00:[0-9a-f:]{8}|host-[0-9a-f]{6}\.example)$/i.test(
    text,
  )

const byte = (value: number) => value.toString(16).padStart(2, '0')
const hex = (digest: Buffer, at: number) => digest.readUInt16BE(at).toString(16)

/** Lower-cases ASCII only. Other letters can change length, which would shift offsets. */
const lowered = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Case-insensitive; `name` is lower case. */
function replaceAll(text: string, name: string, standIn: string): string {
  const lower = lowered(text)
  if (!lower.includes(name)) return text
  let result = ''
  let from = 0
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, from)) {
    result += text.slice(from, at) + standIn
    from = at + name.length
  }
  return result + text.slice(from)
}
