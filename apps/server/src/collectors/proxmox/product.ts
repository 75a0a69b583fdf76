import { defaultRealms, type SourceKind } from '@pulse/contract'

/** The differences of the three products at sign-in. */
export interface Product {
  kind: SourceKind
  /** the end of the title of its start page */
  title: string
  cookie: string
  /** the realm of a user name without one */
  realm: string
  /** absent if the product has no API tokens */
  token?: { scheme: string; separator: string }
}

export const products: Record<SourceKind, Product> = {
  pve: {
    kind: 'pve',
    title: 'Proxmox Virtual Environment',
    cookie: 'PVEAuthCookie',
    realm: defaultRealms.pve,
    token: { scheme: 'PVEAPIToken', separator: '=' },
  },
  pbs: {
    kind: 'pbs',
    title: 'Proxmox Backup Server',
    cookie: 'PBSAuthCookie',
    realm: defaultRealms.pbs,
    token: { scheme: 'PBSAPIToken', separator: ':' },
  },
  pmg: {
    kind: 'pmg',
    title: 'Proxmox Mail Gateway',
    cookie: 'PMGAuthCookie',
    realm: defaultRealms.pmg,
  },
}
