import type { SourceKind } from '@pulse/contract'

/** The start of a page is enough: all three products have their title in the first kilobyte. */
export const maxPageBytes = 64 * 1024

export interface Identity {
  type: SourceKind
  version?: string
  /** the node's name in the title of its page */
  node?: string
}

const products: [SourceKind, RegExp][] = [
  ['pmg', /Proxmox Mail Gateway/],
  ['pbs', /Proxmox Backup Server/],
  ['pve', /Proxmox Virtual Environment/],
]

const scripts: [SourceKind, RegExp][] = [
  ['pmg', /\/pmgmanagerlib\.js/],
  ['pbs', /\/proxmox-backup-gui\.js/],
  ['pve', /\/pvemanagerlib\.js/],
]

const find = (list: [SourceKind, RegExp][], text: string): SourceKind | undefined =>
  list.find(([, pattern]) => pattern.test(text))?.[0]

/** The title of the start page is `<node> - <product>`. Its script URL has the version. */
export function identifyPage(html: string): Identity | undefined {
  const title = /<title>([^<]{0,300})<\/title>/i.exec(html)?.[1]?.trim() ?? ''
  const type = find(products, title) ?? find(scripts, html)
  if (!type) return undefined
  const node = /^([a-z0-9][a-z0-9.-]{0,252}) - Proxmox /i.exec(title)?.[1]
  const version = /\/p(?:ve|mg)managerlib\.js\?ver=(\d[\w.~+-]{0,31})["']/.exec(html)?.[1]
  return { type, ...(version && { version }), ...(node && { node }) }
}

export interface PageReader {
  /** Returns true as soon as further text can add nothing. */
  add(text: string): boolean
  text(): string
}

/** Longer than any text that is searched for. */
const overlap = 64

/** Reads a page as it arrives. Even in tiny chunks, each character is examined a bounded number of times. */
export function readPage(): PageReader {
  const pieces: string[] = []
  let length = 0
  let tail = ''
  let hasTitle = false
  let isOver = false
  return {
    add(text) {
      const taken = text.slice(0, maxPageBytes - length)
      pieces.push(taken)
      length += taken.length
      const fresh = tail + taken
      tail = fresh.slice(-overlap)
      hasTitle ||= /<\/title>/i.test(fresh)
      isOver ||= /managerlib\.js\?ver=[\w.~+-]+["']/.test(fresh) || /<\/head>/i.test(fresh)
      return length >= maxPageBytes || (hasTitle && isOver)
    },
    text: () => pieces.join(''),
  }
}

/**
 * Checks organisation and unit of subject and issuer, which the products set. It never uses the common name:
 * a host named pbs may be anything.
 */
export function identifyCertificate(names: readonly string[]): SourceKind | undefined {
  const organisations = names
    .flatMap((name) => name.split('\n'))
    .filter((line) => /^OU?=/.test(line))
    .join('\n')
  return find([...products, ['pve', /PVE Cluster/]], organisations)
}
