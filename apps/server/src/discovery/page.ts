import type { SourceKind } from '@pulse/contract'

/** The head of a page is enough: all three products have their title in the first kilobyte. */
export const maxPageBytes = 64 * 1024

export interface Identity {
  type: SourceKind
  version?: string
  /** the name of the node, as the title of its page has it */
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

/** What the start page says: its title is `<node> - <product>`, and its own script carries the version. */
export function identifyPage(html: string): Identity | undefined {
  const title = /<title>([^<]{0,300})<\/title>/i.exec(html)?.[1]?.trim() ?? ''
  const type = find(products, title) ?? find(scripts, html)
  if (!type) return undefined
  const node = /^([a-z0-9][a-z0-9.-]{0,252}) - Proxmox /i.exec(title)?.[1]
  const version = /\/p(?:ve|mg)managerlib\.js\?ver=(\d[\w.~+-]{0,31})["']/.exec(html)?.[1]
  return { type, ...(version && { version }), ...(node && { node }) }
}

/** Enough has come to decide. */
export const isPageDecided = (html: string): boolean =>
  /<\/title>/i.test(html) && (/managerlib\.js\?ver=[^"']*["']/.test(html) || /<\/head>/i.test(html))

/**
 * Organisation and unit of subject and issuer, as the products make them. Never the common name: a host may be
 * called pbs and be something else.
 */
export function identifyCertificate(names: readonly string[]): SourceKind | undefined {
  const organisations = names
    .flatMap((name) => name.split('\n'))
    .filter((line) => /^OU?=/.test(line))
    .join('\n')
  return find([...products, ['pve', /PVE Cluster/]], organisations)
}
